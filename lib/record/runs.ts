import type { QuietFigures } from "./facts.js";

export type RunKind = "closed" | "open";
/**
 * `setting`: what is compared. `aa`: `none` a second time, to see what no difference looks like. `control`: no model.
 * `pace`: the closed loop of `none` at the start of a sweep's round, whose S sets that round's rates.
 */
export type RunRole = "setting" | "aa" | "control" | "pace";
/** `started` without an end is a half-written run: its lab was killed. */
export type RunState = "started" | "finished" | "failed" | "interrupted";

/** What is known before a run begins. */
export interface NewRun {
	readonly startId: number;
	readonly kind: RunKind;
	readonly model: string;
	/** `none`, `b32w2`, `nomodel`, … */
	readonly setting: string;
	readonly role: RunRole;
	/** From 1. */
	readonly round: number;
	/** Place in the round's shuffled order, from 1. */
	readonly position: number;
	/** Rate as a multiple of S; null in a closed loop. */
	readonly rateMultiple: number | null;
	readonly ratePerSecond: number | null;
	/** The S that the rate follows, answers a second. */
	readonly saturationPerSecond: number | null;
	/** Of the arrivals. */
	readonly seed: number;
	/** Length of the arrivals, or of the counting in a closed loop. */
	readonly seconds: number;
	readonly connections: number;
	readonly topology: string;
	/** CPU lists handed to taskset; null: not pinned. */
	readonly servicePin: string | null;
	readonly clientPin: string | null;
}

/** Every scheduled request is in exactly one of the last four. */
export interface RunCounts {
	readonly scheduled: number;
	readonly answered: number;
	readonly failed: number;
	readonly timedOut: number;
	readonly unsent: number;
}

/** A fixed piece of work, timed before and after the run. */
export interface CanaryFigures {
	readonly beforeNs: number;
	readonly afterNs: number;
	/** |after − before| ÷ before. */
	readonly drift: number;
	readonly drifted: boolean;
}

/** What is known when a run has ended. */
export interface RunResult {
	/** CLOCK_MONOTONIC at the start of counting, ns; all offsets of the run count from here. */
	readonly epochNs: bigint;
	readonly quiet: QuietFigures;
	readonly canary: CanaryFigures;
	/** Share of time taken by other guests during the run, 0…1; null where the system does not tell. */
	readonly stealShare: number | null;
	readonly verdict: "VALID" | "LATE" | "INVALID";
	readonly reasons: readonly string[];
	readonly counts: RunCounts;
	/** Answers whose score was not the single-row score, bit for bit; and the largest distance. */
	readonly differing: number;
	readonly maxUlp: number;
	/** CPU of each whole process while counting and draining, µs. */
	readonly serviceCpuUs: number;
	readonly clientCpuUs: number;
	readonly serviceRssBytes: number;
	readonly clientRssBytes: number;
	readonly servicePid: number;
	readonly clientPid: number;
	/** The lab's own arithmetic, numbers by name (`answeredPerSecond`, `p99Ms`, …); the report computes its own. */
	readonly summary: Readonly<Record<string, number | boolean | null>>;
	/** Failures by message. */
	readonly errors: Readonly<Record<string, number>>;
	/** Where the wall time went, ms by name (`start`, `quiet`, `warmup`, `count`, `drain`, …). */
	readonly timingMs: Readonly<Record<string, number>>;
}

interface RunIdentity extends NewRun {
	readonly id: number;
	/** Same slot = same kind, model, setting, role, round and rate. */
	readonly slot: string;
	/** 1, or more when the slot was measured again after a drift. */
	readonly attempt: number;
	/** True when a later finished attempt of the same slot counts instead. */
	readonly superseded: boolean;
	readonly beganAt: string;
}

export interface FinishedRun extends RunIdentity, RunResult {
	readonly state: "finished";
	readonly endedAt: string;
}

export interface UnfinishedRun extends RunIdentity {
	readonly state: "started" | "failed" | "interrupted";
	readonly endedAt: string | null;
	readonly reasons: readonly string[];
}

export type RunRow = FinishedRun | UnfinishedRun;

/** Which runs; what is left out does not matter. Without `attempts: "all"` only the attempts that count. */
export interface RunFilter {
	readonly kind?: RunKind;
	readonly model?: string;
	readonly setting?: string;
	readonly role?: RunRole;
	readonly round?: number;
	readonly rateMultiple?: number;
}

/** One entry a request, in scheduled order. Times are ns since the run's epoch, whole numbers; NaN: it never happened. */
export interface RequestColumns {
	readonly scheduledNs: Float64Array;
	readonly sentNs: Float64Array;
	readonly receivedNs: Float64Array;
	/** HTTP status; 0 = none. */
	readonly status: Uint16Array;
	/** Index into {@link OUTCOMES}. */
	readonly outcome: Uint8Array;
	/** Float32 bits of the score received. */
	readonly scoreBits: Uint32Array;
	/** Points into {@link BatchColumns.batchId}; 0 without a batcher. */
	readonly batchId: Uint32Array;
	readonly batchSize: Uint16Array;
	/** Which entry of the request list was sent. */
	readonly bodyIndex: Uint32Array;
}

export const OUTCOMES = ["answered", "failed", "timedOut", "unsent"] as const;

/** One entry a batch, in the order in which they left. Times in ns; `firstSubmitNs` since the run's epoch. */
export interface BatchColumns {
	readonly batchId: Uint32Array;
	readonly size: Uint16Array;
	/** Index into {@link FLUSH_REASONS}. */
	readonly reason: Uint8Array;
	readonly firstSubmitNs: Float64Array;
	/** How long the batch's first row really waited. What was asked is the setting's W. */
	readonly waitNs: Float64Array;
	readonly modelNs: Float64Array;
}

export const FLUSH_REASONS = ["full", "timer", "idle", "deadline", "drain"] as const;

/** One entry a request, in the order of the answers; ns since the run's epoch. Only in the round that keeps stamps. */
export interface StampColumns {
	readonly handlerStartNs: Float64Array;
	readonly rowReadyNs: Float64Array;
	readonly scoreBackNs: Float64Array;
	readonly replyWrittenNs: Float64Array;
}

export interface RunColumns {
	readonly requests: RequestColumns;
	readonly batches: BatchColumns;
	readonly stamps?: StampColumns;
}

/** The name of a slot: `open/gbt/b32w2/setting/round 3/x1.6`. */
export function slotOf(run: Pick<NewRun, "kind" | "model" | "setting" | "role" | "round" | "rateMultiple">): string {
	const rate = run.rateMultiple === null ? "" : `/x${run.rateMultiple}`;
	return `${run.kind}/${run.model}/${run.setting}/${run.role}/round ${run.round}${rate}`;
}
