import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startProxy, type Way } from "./proxy.js";
import { endRuns, removeFolder, SSHD_PID, sweep, tempFolder, userName } from "./temp.js";

/** A real sshd on 127.0.0.1, with a user of its own where the test may make one, behind a proxy of the test's. */
export interface Loopback {
	readonly user: string;
	/** sshd's own port; everything else goes through the proxy's. */
	readonly sshPort: number;
	readonly proxy: Way;
	/** What the box's user has as home. */
	readonly home: string;
	/** A folder that is first in the box's PATH. */
	readonly bin: string;
	/** Private key that may log in. */
	readonly identity: string;
	/** Lines `type base64` of its host key. */
	readonly hostKey: string;
	/** The folder of all this; removed at the end. */
	readonly folder: string;
	/** Lets another public key in. */
	allow(publicKey: string): void;
	/** Puts a program into `bin`. */
	program(name: string, text: string): void;
	close(): Promise<void>;
}

/** Only root can make a user for the box, and a small disk. */
export const isRoot = process.getuid?.() === 0;

function makeUser(home: string): { name: string; uid: number; gid: number } {
	const own = userInfo();
	if (!isRoot) return { name: own.username, uid: own.uid, gid: own.gid };
	const name = userName();
	for (let left = 20; ; left--) {
		try {
			// "*" is a password that nobody has; "!" would lock the account for keys too
			execFileSync(
				"useradd",
				["--no-create-home", "--home-dir", home, "--shell", "/bin/bash", "--password", "*", name],
				{
					stdio: "pipe",
				},
			);
			break;
		} catch (error) {
			if (left === 0) throw error;
			execFileSync("sleep", ["0.2"]); // another test file is making its own user
		}
	}
	const id = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
	return { name, uid: id("-u"), gid: id("-g") };
}

async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

async function listening(port: number): Promise<void> {
	for (let left = 100; left > 0; left--) {
		const reached = await new Promise<boolean>((resolve) => {
			const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
			socket.on("connect", () => socket.destroy());
		});
		if (reached) return;
		await sleep(50);
	}
	throw new Error("sshd did not come up");
}

function keygen(path: string): string {
	execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", path]);
	return readFileSync(`${path}.pub`, "utf8").trim();
}

/**
 * `environment` is what the box's programs find set; `diskMb` gives root's box a home on a disk of its own, of that size.
 */
export async function startLoopback(
	environment: Readonly<Record<string, string>> = {},
	{ diskMb }: { readonly diskMb?: number } = {},
): Promise<Loopback> {
	sweep();
	const folder = tempFolder("test");
	chmodSync(folder, 0o711);
	const home = isRoot ? join(folder, "home") : userInfo().homedir;
	const bin = join(folder, "bin");
	for (const made of [home, bin]) mkdirSync(made, { recursive: true });
	const user = makeUser(home);
	if (isRoot && diskMb !== undefined) execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskMb}m`, "tmpfs", home]);
	if (isRoot) chownSync(home, user.uid, user.gid);
	const identity = join(folder, "login");
	const authorized = join(folder, "authorized_keys");
	writeFileSync(authorized, `${keygen(identity)}\n`, { mode: 0o644 });
	const hostKey = keygen(join(folder, "host")).split(" ").slice(0, 2).join(" ");
	const port = await freePort();
	const path = `${bin}:${process.env.PATH}`;
	const setenv = Object.entries({ PATH: path, ...environment }).map(([name, value]) => `${name}=${value}`);
	const config = [
		"ListenAddress 127.0.0.1",
		`Port ${port}`,
		`HostKey ${join(folder, "host")}`,
		`AuthorizedKeysFile ${authorized}`,
		"StrictModes no",
		"UsePAM no",
		"PasswordAuthentication no",
		"KbdInteractiveAuthentication no",
		"MaxStartups 100",
		"PidFile none",
		`SetEnv ${setenv.join(" ")}`,
	];
	writeFileSync(join(folder, "sshd_config"), `${config.join("\n")}\n`);
	if (isRoot) mkdirSync("/run/sshd", { recursive: true });
	const log = join(folder, "sshd.log");
	const sshd = spawn("/usr/sbin/sshd", ["-D", "-f", join(folder, "sshd_config"), "-E", log], { stdio: "ignore" });
	writeFileSync(join(folder, SSHD_PID), String(sshd.pid));
	await listening(port);
	const proxy = await startProxy(port);
	return {
		user: user.name,
		sshPort: port,
		proxy,
		home,
		bin,
		identity,
		hostKey,
		folder,
		allow: (publicKey) => writeFileSync(authorized, `${publicKey.trim()}\n`, { flag: "a" }),
		program: (name, text) => writeFileSync(join(bin, name), text, { mode: 0o755 }),
		async close() {
			await proxy.close();
			endRuns(home);
			if (sshd.exitCode === null && sshd.signalCode === null) {
				const ended = new Promise((resolve) => sshd.once("exit", resolve));
				sshd.kill();
				await ended;
			}
			if (isRoot) execFileSync("userdel", ["--force", user.name], { stdio: "ignore" });
			removeFolder(folder);
		},
	};
}
