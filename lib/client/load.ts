import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { CodedError, hasCode } from "../base/index.js";
import { type ArrivalShape, drawArrivals } from "./arrivals.js";
import { type JudgedOpenRun, type JudgeRules, judgeOpenRun } from "./judge.js";
import { startClient } from "./process.js";
import type { ClientConfigure } from "./protocol.js";
import { checkConfigure } from "./run.js";

export interface LoadOptions {
	readonly url: string;
	readonly ratePerSecond: number;
	readonly seconds: number;
	/** @default "poisson" */
	readonly shape?: ArrivalShape;
	/** Kept-alive connections, 1 to 512; a request that finds none free waits, and the wait counts. @default 128 */
	readonly connections?: number;
	/** @default "timer" */
	readonly pacing?: "timer" | "precise";
	/** @default "POST" with bodies, "GET" without */
	readonly method?: string;
	/** @default content-type: application/json, where there are bodies */
	readonly headers?: readonly (readonly [name: string, value: string])[];
	/** Used in turn; `{{index}}` in one stands for the number of the request. @default none */
	readonly bodies?: readonly string[];
	/** Equal seeds give equal arrivals. @default 1 */
	readonly seed?: number;
	/** Not counted, at the same rate. @default 1 */
	readonly warmupSeconds?: number;
	/** How long answers are waited for after the last arrival. @default 30 */
	readonly drainSeconds?: number;
	/** Whether the service runs on the client's only core. @default "shared" on one core, "separate" elsewhere */
	readonly topology?: "shared" | "separate";
	/** Share of the requests that may end without an answer before the run is INVALID. @default 0 */
	readonly lostShare?: number;
	readonly signal?: AbortSignal;
	/** Called when a phase begins. */
	readonly onPhase?: (phase: LoadPhase) => void;
}

export type LoadPhase = "warm-up" | "counting";

export interface LoadReport extends JudgedOpenRun {
	readonly url: string;
	readonly shape: ArrivalShape;
	readonly ratePerSecond: number;
	readonly seconds: number;
	readonly seed: number;
	readonly connections: number;
	readonly pacing: "timer" | "precise";
	readonly topology: "shared" | "separate";
	/** Connections that had to be opened again while it counted. */
	readonly reopenings: number;
}

/**
 * Sends requests to any HTTP service at moments that were drawn beforehand, from a process of its own, and judges the
 * run by its raw stamps.
 *
 * @throws {CodedError} `BAD_URL`, `BAD_RATE`, `BAD_SECONDS`, `BAD_METHOD`, `BAD_HEADER`, `BAD_CONNECTIONS`,
 *   `BAD_DURATION`, `CANNOT_CONNECT`, `NO_ANSWER`, `INTERRUPTED`
 */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
	const { url, ratePerSecond, seconds, shape = "poisson", connections = 128, pacing = "timer", seed = 1 } = options;
	const {
		method,
		headers,
		bodies = [],
		warmupSeconds = 1,
		drainSeconds = 30,
		lostShare = 0,
		signal,
		onPhase,
	} = options;
	const topology = options.topology ?? (availableParallelism() === 1 ? "shared" : "separate");
	const configure: ClientConfigure = {
		type: "configure",
		mode: "open",
		url,
		...(method === undefined ? {} : { method }),
		...(headers === undefined ? {} : { headers }),
		connections,
		bodies,
		template: true,
		readReplies: false,
		offset: 0,
		warmupMs: warmupSeconds * 1000,
		warmupRate: ratePerSecond,
		countMs: seconds * 1000,
		arrivalsNs: drawArrivals(shape, { ratePerSecond, seconds, seed }),
		pacing,
		drainMs: drainSeconds * 1000,
	};
	checkConfigure(configure);
	try {
		const client = await startClient(signal === undefined ? {} : { signal });
		try {
			onPhase?.("warm-up");
			await client.configure(configure);
			onPhase?.("counting");
			client.go();
			const { columns, cpuUs, errors, reopenings } = await client.result;
			const rules: JudgeRules = { topology, lostShare };
			const judged = judgeOpenRun({ columns, arrivalMs: seconds * 1000, connections, cpuUs, errors }, rules);
			return { ...judged, url, shape, ratePerSecond, seconds, seed, connections, pacing, topology, reopenings };
		} finally {
			await client.stop();
		}
	} catch (error) {
		if (signal?.aborted === true) {
			throw new CodedError("INTERRUPTED", "interrupted; a part of a run is no run, so nothing is reported", {
				exitCode: 130,
				cause: error,
			});
		}
		throw error;
	}
}

/** In a template this is replaced by a line of the file of bodies. */
const LINE_MARK = "{{line}}";

/**
 * The bodies of `--body TEMPLATE` and `--bodies FILE`: the lines themselves, the template, or the template with each
 * line in the place of `{{line}}`.
 *
 * @throws {CodedError} `BAD_BODIES`
 */
export function bodiesFrom(template: string | undefined, lines: readonly string[] | undefined): string[] {
	if (lines === undefined) return template === undefined ? [] : [template];
	if (template === undefined) return [...lines];
	if (!template.includes(LINE_MARK)) {
		throw new CodedError("BAD_BODIES", `the template does not say where the lines go: ${template}`, {
			hint: `write ${LINE_MARK} in it, or leave it out and send the lines as they are`,
		});
	}
	return lines.map((line) => template.replaceAll(LINE_MARK, () => line));
}

/**
 * The lines of a file that are not empty.
 *
 * @throws {CodedError} `BAD_BODIES`
 */
export function readBodyLines(path: string): string[] {
	let text: string;
	try {
		text = readFileSync(path, "utf8");
	} catch (cause) {
		const why = hasCode(cause) ? cause.code : String(cause);
		throw new CodedError("BAD_BODIES", `the file of bodies "${path}" cannot be read: ${why}`, { cause });
	}
	// an editor's mark of UTF-8 at the beginning of the file is none of the first body's
	const lines = text
		.replace(/^\uFEFF/, "")
		.split(/\r?\n/)
		.filter((line) => line !== "");
	if (lines.length === 0) throw new CodedError("BAD_BODIES", `the file of bodies "${path}" has no lines`);
	return lines;
}
