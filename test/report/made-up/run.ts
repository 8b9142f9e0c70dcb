import { seededRandom } from "batching-lab/base";
import type { RunColumns, RunResult, RunRole, StampColumns } from "batching-lab/record";
import { percentile, rates, sortSamples } from "batching-lab/stats";
import { QUIET } from "./facts.js";
import { dialsOf, MACHINES, poisson, REST_US, serve } from "./server.js";

/** How many different requests there are. */
export const REQUESTS = 500;

export interface RunSketch {
	readonly kind: "open" | "closed";
	readonly model: string;
	readonly setting: string;
	readonly role: RunRole;
	readonly round: number;
	readonly rateMultiple: number | null;
}

/** The columns of one run, and the figures a lab writes beside them. */
export function makeRun(
	run: RunSketch,
	{ perSecond, seconds, seed, differing = 0 }: { perSecond: number; seconds: number; seed: number; differing?: number },
): { readonly columns: RunColumns; readonly result: RunResult } {
	const random = seededRandom(seed);
	const machine = MACHINES[run.model] ?? { fixedUs: 10, rowUs: 2 };
	const dials = dialsOf(run.setting);
	const scheduledNs = poisson(perSecond, seconds, random);
	const { receivedNs, batchOf, batches } = serve(
		scheduledNs,
		run.setting.startsWith("nomodel") ? { fixedUs: 0, rowUs: 0 } : machine,
		dials,
	);
	// A little of the machine's own scatter, which differs by setting and not by arrivals.
	const noise = seededRandom(seed * 31 + run.setting.length * 7 + (run.role === "aa" ? 3 : 0));
	const level = 1 + 0.02 * (noise() - 0.5);
	receivedNs.forEach((at, i) => {
		const due = scheduledNs[i] ?? 0;
		receivedNs[i] = Math.round(due + (at - due) * level);
	});
	const count = scheduledNs.length;
	const size = (i: number) =>
		dials.batched ? (batches.size[(batchOf[i] ?? 1) - 1] ?? 0) : run.setting === "none" ? 1 : 0;
	const bodyIndex = Uint32Array.from({ length: count }, (_, i) => (seed + i) % REQUESTS);
	const scoreBits = Uint32Array.from(bodyIndex, (body, i) => 0x3e000000 + body * 1000 + (i < differing ? 1 : 0));
	const requests = {
		scheduledNs,
		sentNs: scheduledNs.map((at) => at + 15_000),
		receivedNs,
		status: new Uint16Array(count).fill(200),
		outcome: new Uint8Array(count),
		scoreBits,
		batchId: dials.batched ? batchOf : new Uint32Array(count),
		batchSize: Uint16Array.from({ length: count }, (_, i) => size(i)),
		bodyIndex,
	};
	const stamps: StampColumns = {
		handlerStartNs: scheduledNs.map((at) => at + 18_000),
		rowReadyNs: scheduledNs.map((at) => at + 38_000),
		scoreBackNs: receivedNs.map((at) => at - 40_000),
		replyWrittenNs: receivedNs.map((at) => at - 25_000),
	};
	const columns: RunColumns = { requests, batches, ...(run.round === 1 && run.kind === "open" ? { stamps } : {}) };
	const latencies = sortSamples(receivedNs.map((at, i) => at - (scheduledNs[i] ?? 0)));
	const ms = (percent: number) => {
		const ns = percentile(latencies, percent);
		return ns === null ? null : ns / 1e6;
	};
	const { answeredPerSecond, keepsUp } = rates({ scheduledNs, receivedNs, horizonNs: seconds * 1e9 });
	const rows = batches.size.reduce((sum, value) => sum + value, 0);
	const canary = 1e7 * (1 + 0.01 * noise());
	const result: RunResult = {
		epochNs: 12_345_678_901_234_567_890n,
		quiet: QUIET,
		canary: { beforeNs: canary, afterNs: canary * 1.01, drift: 0.01, drifted: false },
		stealShare: 0,
		verdict: "VALID",
		reasons: [],
		counts: { scheduled: count, answered: count, failed: 0, timedOut: 0, unsent: 0 },
		differing: Math.min(differing, count),
		maxUlp: differing > 0 && count > 0 ? 1 : 0,
		serviceCpuUs: count * (machine.fixedUs + machine.rowUs + REST_US),
		clientCpuUs: count * 35,
		serviceRssBytes: 9e7,
		clientRssBytes: 8e7,
		servicePid: 11,
		clientPid: 12,
		summary: {
			answeredPerSecond,
			keepsUp: run.kind === "open" ? keepsUp : null,
			p50Ms: ms(50),
			p99Ms: ms(99),
			meanBatch: batches.size.length === 0 ? null : rows / batches.size.length,
		},
		errors: {},
		timingMs: { quiet: 500, count: seconds * 1000 },
	};
	return { columns, result };
}
