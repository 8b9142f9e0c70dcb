import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { CodedError } from "../base/index.js";
import { fact, prose } from "../report/index.js";
import { listed, tell } from "./tell.js";

/** Ways to put the departure of a batch off. */
export const HOOKS = ["microtask", "setImmediate"] as const;
export type Hook = (typeof HOOKS)[number];

/** What happened while six requests lay waiting in the network, in order. */
export type HookStep =
	| { readonly what: "read"; readonly request: number }
	| { readonly what: "leave"; readonly rows: number };

export type HookTrace = Readonly<Record<Hook, readonly HookStep[]>>;

const REQUESTS = 6;

const putOff: Readonly<Record<Hook, (callback: () => void) => void>> = {
	microtask: queueMicrotask,
	setImmediate: (callback) => void setImmediate(callback),
};

/**
 * Real sockets on the loopback: six requests are written in one turn of the event loop, so that all six can be read in
 * the next one, and the order of reading and leaving is written down. Nothing is timed.
 */
export async function hooks(): Promise<HookTrace> {
	return {
		microtask: await trace("microtask"),
		setImmediate: await trace("setImmediate"),
	};
}

async function trace(hook: Hook): Promise<HookStep[]> {
	const steps: HookStep[] = [];
	const waiting: number[] = [];
	let left = 0;
	let finish = () => {};
	const finished = new Promise<void>((resolve) => {
		finish = resolve;
	});
	const leave = () => {
		if (waiting.length === 0) return;
		steps.push({ what: "leave", rows: waiting.length });
		left += waiting.length;
		waiting.length = 0;
		if (left === REQUESTS) finish();
	};
	const server = createServer((socket) => {
		socket.on("data", (data) => {
			const request = data[0] ?? 0;
			steps.push({ what: "read", request });
			waiting.push(request);
			if (waiting.length === 1) putOff[hook](leave);
		});
	});
	const clients: Socket[] = [];
	try {
		server.listen(0, "127.0.0.1");
		await once(server, "listening");
		const address = server.address();
		if (address === null || typeof address === "string")
			throw new CodedError("NO_PORT", "the system gave no port", { exitCode: 1 });
		for (let request = 1; request <= REQUESTS; request++) {
			const client = connect(address.port, "127.0.0.1");
			await once(client, "connect");
			clients.push(client);
		}
		// Let the server accept all six before anything is written.
		await new Promise((resolve) => setTimeout(resolve, 20));
		for (const [index, client] of clients.entries()) client.write(Uint8Array.of(index + 1));
		await finished;
		return steps;
	} finally {
		for (const client of clients) client.destroy();
		server.close();
	}
}

/** Rows of each batch that left, in order. */
export function batchesOf(steps: readonly HookStep[]): number[] {
	return steps.flatMap((step) => (step.what === "leave" ? [step.rows] : []));
}

export function tellHooks(seen: HookTrace): void {
	const lines = HOOKS.map((hook) => {
		const batches = batchesOf(seen[hook]);
		const sizes = listed(batches.map((rows, index) => prose`${fact(`virtual/hooks/${hook}/${index + 1}`, rows)}`));
		return prose`- \`${hook}\`: ${fact(`virtual/hooks/${hook}/batches`, batches.length)} ${batches.length === 1 ? "batch" : "batches"}, of ${sizes} ${batches.length === 1 && batches[0] === 1 ? "row" : "rows"}.`;
	});
	tell(lines.join("\n"));
}
