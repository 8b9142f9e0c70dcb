/**
 * What the laboratory and a client process say to each other (node:child_process IPC, `serialization: "advanced"`).
 * The client waits for one `configure`, warms up, says `warm`, waits for `go`, counts, drains, and says `done`.
 */
export interface ClientConfigure {
	readonly type: "configure";
	readonly mode: "closed" | "open";
	/** http://127.0.0.1:PORT/predict */
	readonly url: string;
	readonly connections: number;
	/** Request bodies, JSON, used in turn from `offset` on. */
	readonly bodies: readonly string[];
	/** Float32 bits of the single-row score of bodies[i]; absent: nothing is compared. */
	readonly expectedBits?: Uint32Array;
	readonly offset: number;
	readonly warmupMs: number;
	/** Requests a second during the warm-up (open loop; the closed loop warms up with its own connections). */
	readonly warmupRate: number;
	/** Closed loop: how long to count. Open loop: not used, the arrivals say it. */
	readonly countMs: number;
	/** Open loop: scheduled arrivals, ns since the start of counting, ascending. */
	readonly arrivalsNs?: Float64Array;
	readonly pacing: "timer" | "precise";
	/** How long to wait for answers after the last arrival. */
	readonly drainMs: number;
}

/** Per request, in scheduled order; ns since `epochNs`; NaN where it never happened. */
export interface RequestColumns {
	readonly scheduledNs: Float64Array;
	readonly sentNs: Float64Array;
	readonly receivedNs: Float64Array;
	/** HTTP status; 0 = none. */
	readonly status: Uint16Array;
	/** Index into OUTCOMES: answered, failed, timedOut, unsent. */
	readonly outcome: Uint8Array;
	/** Float32 bits of the score received. */
	readonly scoreBits: Uint32Array;
	readonly batchId: Uint32Array;
	readonly batchSize: Uint16Array;
	/** Which body was sent. */
	readonly bodyIndex: Uint32Array;
}

export const OUTCOMES = ["answered", "failed", "timedOut", "unsent"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export type ClientMessage =
	| { readonly type: "warm" }
	| {
			readonly type: "done";
			/** CLOCK_MONOTONIC at the start of counting, ns. */
			readonly epochNs: bigint;
			readonly columns: RequestColumns;
			/** CPU of the client process while counting and draining, µs. */
			readonly cpuUs: number;
			readonly rssBytes: number;
			/** Errors by message, so that a failure is never only a number. */
			readonly errors: Readonly<Record<string, number>>;
	  }
	| { readonly type: "failed"; readonly code: string; readonly message: string; readonly hint?: string };

/** lab → client */
export type ClientCommand = ClientConfigure | { readonly type: "go" } | { readonly type: "stop" };
