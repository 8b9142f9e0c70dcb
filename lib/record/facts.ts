/** A value, or the words for "this system does not tell". Never an error, never a made-up zero. */
export type Known<T> = T | "not available";
export const NOT_AVAILABLE = "not available";

/** Anything that JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** One start of a lab on this record. A record that was resumed has several. */
export interface StartRow {
	readonly id: number;
	/** ISO 8601, UTC. */
	readonly at: string;
	readonly pid: number;
	readonly host: string;
	/** Changes with every boot: a pid means nothing across one. */
	readonly boot: string;
	/** What was started: `sweep quick`, `notebook`, `saturation`, … */
	readonly purpose: string;
	/** sha256 over the compiled code that takes part in a timed run. */
	readonly codeHash: string;
	/** sha256 by model name. */
	readonly modelHashes: Readonly<Record<string, string>>;
	readonly endedAt: string | null;
	/** null: still running, or killed. */
	readonly ended: "finished" | "interrupted" | "failed" | null;
}

/** What was fixed before measuring: settings, rates, rounds, bounds, rules. */
export interface DesignRow {
	readonly id: number;
	readonly at: string;
	/** Which design: `sweep`, `model-alone`, … */
	readonly name: string;
	readonly sha256: string;
	readonly design: Json;
	/** True when a timed run was already finished as this was written. Set by the writer, never by the caller. */
	readonly addedLater: boolean;
}

export interface GuessRow {
	readonly id: number;
	readonly at: string;
	/** Names the guess: `single-row-us`, … */
	readonly key: string;
	readonly author: "author" | "reader";
	readonly text: string;
	/** What the grader reads: a number, a range, a setting. */
	readonly value: Json;
	readonly sha256: string;
	readonly addedLater: boolean;
}

/** The machine at one start. */
export interface Environment {
	readonly host: string;
	readonly platform: string;
	readonly arch: string;
	readonly kernel: string;
	readonly cpu: string;
	/** CPUs the lab may use. */
	readonly cores: number;
	readonly memoryBytes: number;
	readonly frequencyMhz: Known<number>;
	readonly governor: Known<string>;
	readonly hypervisor: Known<boolean>;
	readonly node: string;
	readonly onnxruntime: Known<string>;
	/** Which API scores, in words. */
	readonly engine: string;
	readonly sqlite: Known<string>;
	/** Threads a model call may use. */
	readonly threads: number;
	/** Share of time taken by other guests since boot, 0…1. */
	readonly stealShare: Known<number>;
	readonly loadAverage: readonly number[];
	/** Open log-ins, one line each. */
	readonly logIns: Known<readonly string[]>;
	readonly timers: Known<readonly string[]>;
	/** The cron service, and the jobs it would start. */
	readonly cronJobs: Known<readonly string[]>;
	readonly gitCommit: Known<string>;
	readonly lockFileHash: Known<string>;
	readonly topology: string;
	/** CPU lists handed to taskset; null: not pinned. */
	readonly servicePin: string | null;
	readonly clientPin: string | null;
}

export interface EnvironmentRow extends Environment {
	readonly id: number;
	readonly startId: number;
	readonly at: string;
}

export interface ModelRow {
	readonly name: string;
	readonly at: string;
	readonly sha256: string;
	/** On the model's own test rows; null: it was never trained, or nobody looked. */
	readonly averagePrecision: number | null;
	/** Verdict of its bit check; null: not checked yet. */
	readonly bits: "identical" | "differ" | null;
	/** What else its manifest says. */
	readonly facts: Json;
}

export interface ModelAloneSize {
	readonly size: number;
	readonly calls: number;
	/** Time of one call at this size. */
	readonly minNs: number;
	readonly p25Ns: number;
	readonly p50Ns: number;
	readonly p75Ns: number;
	readonly p99Ns: number;
	readonly meanNs: number;
}

/** One round of Part A: a fresh process that timed every size. */
export interface ModelAloneRow {
	readonly id: number;
	readonly startId: number;
	readonly at: string;
	readonly model: string;
	readonly round: number;
	readonly pid: number;
	/** The order in which this process took them. */
	readonly order: readonly number[];
	readonly budgetMs: number;
	readonly quiet: QuietFigures;
	readonly canaryBeforeNs: number | null;
	readonly canaryAfterNs: number | null;
	/** Ascending by size. */
	readonly sizes: readonly ModelAloneSize[];
}

export interface BitCheckSize {
	readonly size: number;
	readonly differingRows: number;
	/** Largest distance in units of the last place, and as a number. */
	readonly maxUlp: number;
	readonly maxAbs: number;
}

export interface BitCheckRow {
	readonly id: number;
	readonly startId: number;
	readonly at: string;
	readonly model: string;
	readonly modelSha256: string;
	readonly threads: number;
	readonly rows: number;
	/** A saturated model hides differences; this is how many there were to see. */
	readonly distinctScores: number;
	readonly identical: boolean;
	readonly sizes: readonly BitCheckSize[];
}

/** How quiet the measured cores were right before a run, and what went on while it lasted. */
export interface QuietFigures {
	/** False: the wait for a quiet machine ran out, and the run was made all the same. */
	readonly quiet: boolean;
	/** Share of idle time of the measured cores in the last look, 0…1; of the busiest of them. */
	readonly idleShare: number;
	/** What the run asked for, 0…1. */
	readonly requiredIdleShare: number;
	/** Length of one look and of all looks together. */
	readonly lookMs: number;
	readonly waitedMs: number;
	/** "proc" (/proc/stat) or "os" (os.cpus()). */
	readonly source: string;
	readonly loadBefore: number;
	readonly loadAfter: Known<number>;
	readonly frequencyMhz: Known<number>;
	/** Whole machine, from the end of the quiet look to the end of the run. */
	readonly contextSwitches: Known<number>;
	readonly logIns: Known<number>;
	/** Journal lines that arrived during the run, by source. */
	readonly journal: Known<Readonly<Record<string, number>>>;
}

export interface ProgressRow {
	readonly id: number;
	readonly startId: number;
	readonly at: string;
	readonly text: string;
}

export interface NoteRow {
	readonly id: number;
	readonly startId: number | null;
	readonly at: string;
	/** `void` (a comparison that does not stand), `resumed`, `allowed-change`, `remark`, … */
	readonly kind: string;
	readonly text: string;
	readonly addedLater: boolean;
}
