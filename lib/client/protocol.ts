/**
 * What the laboratory and a client process say to each other (node:child_process IPC, `serialization: "advanced"`).
 * The client says `ready`, waits for one `configure`, warms up, says `warm`, waits for `go`, counts, drains, and says `done`.
 */
export interface ClientConfigure {
	readonly type: "configure";
	readonly mode: "closed" | "open";
	/** http://127.0.0.1:PORT/predict */
	readonly url: string;
	/** @default "POST", or "GET" without bodies */
	readonly method?: string;
	/** @default content-type: application/json, where there is a body */
	readonly headers?: readonly (readonly [name: string, value: string])[];
	/** Kept alive and opened before counting, 1 to 512. */
	readonly connections: number;
	/** Request bodies, used in turn from `offset` on; empty: requests have no body. */
	readonly bodies: readonly string[];
	/** `{{index}}` in a body stands for the number of the request. @default false */
	readonly template?: boolean;
	/** Replies are those of `POST /predict`: score, batchId, batchSize are read, and one without them has failed. @default true */
	readonly readReplies?: boolean;
	/** Float32 bits of the single-row score of bodies[i]; the client passes over them, whoever judges the run compares. */
	readonly expectedBits?: Uint32Array;
	readonly offset: number;
	readonly warmupMs: number;
	/** Open loop: how much of the warm-up, at its start, is a closed loop over all connections. @default 0 */
	readonly warmupBurstMs?: number;
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
	/** Loaded, and waiting for `configure`. */
	| { readonly type: "ready" }
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
			/** Connections that had to be opened again while counting. */
			readonly reopenings: number;
	  }
	| { readonly type: "failed"; readonly code: string; readonly message: string; readonly hint?: string };

/** lab → client */
export type ClientCommand = ClientConfigure | { readonly type: "go" } | { readonly type: "stop" };
