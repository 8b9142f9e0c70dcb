import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a client and a kernel share to find and to trust each other; the content of a Jupyter connection file. */
export interface Connection {
	readonly ip: string;
	readonly transport: "tcp";
	readonly key: string;
	readonly signature_scheme: "hmac-sha256";
	readonly shell_port: number;
	readonly iopub_port: number;
	readonly control_port: number;
	readonly stdin_port: number;
	readonly hb_port: number;
}

const LOOPBACK = "127.0.0.1";

/**
 * A connection on five free ports of the loopback interface. The ports are free when this returns; another process
 * may still take one before the kernel binds it, so the caller must be ready to try again.
 */
export async function newConnection(): Promise<Connection> {
	const servers = await Promise.all(Array.from({ length: 5 }, listen));
	const ports = servers.map((server) => portOf(server));
	await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
	const [shell_port = 0, iopub_port = 0, control_port = 0, stdin_port = 0, hb_port = 0] = ports;
	const key = randomBytes(32).toString("hex");
	return {
		ip: LOOPBACK,
		transport: "tcp",
		key,
		signature_scheme: "hmac-sha256",
		shell_port,
		iopub_port,
		control_port,
		stdin_port,
		hb_port,
	};
}

/** The connection file, readable by its owner only, in a folder of its own; `remove` takes both away. */
export async function writeConnectionFile(connection: Connection): Promise<{ path: string; remove(): Promise<void> }> {
	const folder = await mkdtemp(join(tmpdir(), "workbook-kernel-"));
	const path = join(folder, "connection.json");
	await writeFile(path, JSON.stringify(connection), { mode: 0o600 });
	return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}

function listen(): Promise<Server> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once("error", reject);
		server.listen(0, LOOPBACK, () => resolve(server));
	});
}

function portOf(server: Server): number {
	const address = server.address();
	if (typeof address !== "object" || address === null) throw new Error("the server does not listen");
	return address.port;
}
