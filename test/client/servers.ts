import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createRawServer, type Server as RawServer, type Socket } from "node:net";
import { type ClientConfigure, type ClientDone, prepareClient } from "batching-lab/client";

export interface TestServer {
	readonly url: string;
	/** Sockets accepted so far. */
	readonly accepted: () => number;
	readonly close: () => Promise<void>;
}

export type Reply = (response: ServerResponse, body: string, request: IncomingMessage) => void;

function listen(server: Server | RawServer): Promise<TestServer> {
	const sockets = new Set<Socket>();
	let accepted = 0;
	server.on("connection", (socket: Socket) => {
		accepted++;
		sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)));
	});
	return new Promise((resolve) => {
		server.listen(0, "127.0.0.1", () => {
			const address = server.address();
			if (address === null || typeof address === "string") throw new Error("no port");
			resolve({
				url: `http://127.0.0.1:${address.port}/predict`,
				accepted: () => accepted,
				close: () =>
					new Promise((closed) => {
						server.close(() => closed());
						for (const socket of sockets) socket.destroy();
					}),
			});
		});
	});
}

/** A server that gives each whole request to `reply`. */
export function httpServer(reply: Reply, keepAliveTimeout = 60_000): Promise<TestServer> {
	return listen(
		createServer({ keepAliveTimeout }, (request, response) => {
			let body = "";
			request.setEncoding("utf8").on("data", (text: string) => {
				body += text;
			});
			request.on("end", () => reply(response, body, request));
		}),
	);
}

/** A server that gives each socket to `serve`. */
export function rawServer(serve: (socket: Socket) => void): Promise<TestServer> {
	return listen(createRawServer(serve));
}

/** What the service of the workbook answers. */
export function prediction(score: number, batchSize = 1, batchId = 0): string {
	return JSON.stringify({ customerId: 1, month: "2011-11", score: Math.fround(score), batchSize, batchId });
}

export function answer(response: ServerResponse, text: string, status = 200): void {
	response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
	response.end(text);
}

/** `count` arrivals, `gapMs` apart. */
export function every(gapMs: number, count: number): Float64Array {
	return Float64Array.from({ length: count }, (_, i) => Math.round((i + 1) * gapMs * 1e6));
}

export const DEFAULTS: Omit<ClientConfigure, "url"> = {
	type: "configure",
	mode: "open",
	connections: 8,
	bodies: ['{"customerId":1}'],
	offset: 0,
	warmupMs: 0,
	warmupRate: 0,
	countMs: 200,
	pacing: "timer",
	drainMs: 5000,
};

/** Runs the client in this process. */
export async function measure(
	url: string,
	configure: Partial<ClientConfigure>,
): Promise<Omit<ClientDone, "type" | "rssBytes">> {
	const client = await prepareClient({ ...DEFAULTS, url, ...configure });
	try {
		return await client.run();
	} finally {
		client.close();
	}
}
