import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { CodedError } from "../base/index.js";
import { closedAgainstOpen, type Figure, type TimedRequest } from "../charts/index.js";
import { type ClientConfigure, poissonArrivals, startClient } from "../client/index.js";
import { fact, prose } from "../report/index.js";
import { percentile, sortSamples } from "../stats/index.js";
import { table, tell } from "./tell.js";

export interface FreezeDemo {
	readonly closed: readonly TimedRequest[];
	readonly open: readonly TimedRequest[];
	readonly freeze: { readonly from: number; readonly to: number };
}

const SECONDS = 4;
const FREEZE_AT = 1.5;
const FREEZE_SECONDS = 1;
const RATE = 200;
const CLOSED_CLIENTS = 4;

async function frozenServer(): Promise<{ port: number; start(): void; stop(): void }> {
	const entry = fileURLToPath(new URL("./freeze-server.js", import.meta.url));
	const child = spawn(process.execPath, [entry, String(FREEZE_AT * 1000), String(FREEZE_SECONDS * 1000)], {
		stdio: ["ignore", "ignore", "inherit", "ipc"],
	});
	const [message]: unknown[] = await once(child, "message");
	if (typeof message !== "object" || message === null || !("port" in message) || typeof message.port !== "number") {
		throw new CodedError("NO_PORT", "the demonstration's server gave no port", { exitCode: 1 });
	}
	return { port: message.port, start: () => void child.send("start"), stop: () => void child.kill() };
}

/** One client against a server of its own that freezes once; where and how long each request took. */
async function watch(mode: "closed" | "open"): Promise<TimedRequest[]> {
	const server = await frozenServer();
	const client = await startClient();
	try {
		const configuration: ClientConfigure = {
			type: "configure",
			mode,
			url: `http://127.0.0.1:${server.port}/`,
			connections: mode === "closed" ? CLOSED_CLIENTS : 512,
			bodies: ["{}"],
			readReplies: false,
			offset: 0,
			warmupMs: 300,
			warmupRate: RATE,
			countMs: SECONDS * 1000,
			arrivalsNs: poissonArrivals({ ratePerSecond: RATE, seconds: SECONDS, seed: 7 }),
			pacing: "timer",
			drainMs: 10_000,
		};
		await client.configure(configuration);
		server.start();
		client.go();
		const { columns } = await client.result;
		return Array.from(columns.receivedNs, (received, at) => {
			const from = (mode === "open" ? columns.scheduledNs[at] : columns.sentNs[at]) ?? 0;
			return { seconds: from / 1e9, ms: (received - from) / 1e6 };
		}).filter(({ ms }) => Number.isFinite(ms));
	} finally {
		await client.stop();
		server.stop();
	}
}

/** The same freeze, seen by a closed and by an open loop, side by side. A few seconds. */
export async function freezeDemo(): Promise<FreezeDemo> {
	const [closed, open] = await Promise.all([watch("closed"), watch("open")]);
	return { closed, open, freeze: { from: FREEZE_AT, to: FREEZE_AT + FREEZE_SECONDS } };
}

export function freezeChart(demo: FreezeDemo): Figure {
	return closedAgainstOpen(demo);
}

export function tellFreeze({ closed, open }: FreezeDemo): void {
	const row = (name: string, requests: readonly TimedRequest[]) => {
		const ms = sortSamples(requests.map((request) => request.ms));
		const slow = slowOf(requests);
		const key = `virtual/freeze/${name}`;
		const cell = (percent: number) => {
			const value = percentile(ms, percent);
			return value === null ? "too few samples" : prose`${fact(`${key}/p${percent}`, value, "ms")}`;
		};
		return [
			`${name} loop`,
			prose`${fact(`${key}/requests`, requests.length)}`,
			cell(50),
			cell(99),
			prose`${fact(`${key}/slow`, slow)}`,
		];
	};
	tell(
		`${table([["", "requests", "p50", "p99", "slower than a tenth of a second"], row("closed", closed), row("open", open)])}\n\n${freezeInWords({ closed, open })}`,
	);
}

const SLOW_MS = 100;
const slowOf = (requests: readonly TimedRequest[]) => requests.filter(({ ms }) => ms > SLOW_MS).length;

/** What the two clients saw of the one freeze. */
export function freezeInWords({ closed, open }: Pick<FreezeDemo, "closed" | "open">): string {
	const clients = fact("virtual/freeze/clients", CLOSED_CLIENTS);
	const rate = fact("virtual/freeze/rate", RATE);
	const share = (requests: readonly TimedRequest[]) => slowOf(requests) / Math.max(1, requests.length);
	const seen =
		share(closed) < 0.01 && share(open) > 0.01 ? " Its p99 does not even notice; that of the open loop does." : "";
	return prose`It was the same freeze, once, for a second. The closed loop has ${clients} clients. While the server stood still they asked nothing, because each was waiting for its answer: ${fact("virtual/freeze/closed/slow", slowOf(closed))} of ${fact("virtual/freeze/closed/requests", closed.length)} requests were slow.${seen} The open loop went on sending about ${rate} requests a second, and everybody who came during the freeze had to wait, as people would have.`;
}
