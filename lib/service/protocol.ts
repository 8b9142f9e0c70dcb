/**
 * What the laboratory and a service process say to each other over the process channel
 * (node:child_process IPC, `serialization: "advanced"`, so typed arrays travel as they are).
 * The configuration is argv[2], one JSON object.
 */
export interface ServiceConfig {
	/** Folder with store, models and manifest. */
	readonly dataDir: string;
	/** `gbt`, `ft`, `mlp` or the path of an .onnx file. */
	readonly model: string;
	/** `none`, `bXwY`, `nomodel`, `nomodel-deferred`. */
	readonly setting: string;
	/** 0 = a port the system gives. */
	readonly port: number;
	readonly host?: string;
	/** Keep the four stage stamps of every request; off in most runs. */
	readonly stamps: boolean;
	/** Overrides of the batcher's own defaults (queue bound, deadlines). */
	readonly maxQueue?: number;
	readonly queueDeadlineMs?: number;
	readonly modelTimeoutMs?: number;
}

/** lab → service */
export type ServiceCommand =
	/** Forget what was recorded so far (the warm-up) and start counting. */
	| { readonly type: "count" }
	/** Answer with a `counted` message. */
	| { readonly type: "report" }
	/** Drain, close, exit 0. */
	| { readonly type: "stop" };

/** One entry a batch, in the order in which the batches left. All columns have the same length. */
export interface BatchColumns {
	/** Rises by one a batch from the service's start; the `batchId` of an answer points here. */
	readonly batchId: Uint32Array;
	readonly size: Uint16Array;
	/** Index into FLUSH_REASONS of the batcher. */
	readonly reason: Uint8Array;
	/** When the first row was submitted, ns of CLOCK_MONOTONIC (process.hrtime.bigint()). */
	readonly firstSubmitNs: BigInt64Array;
	/** How long the first row really waited, ns. */
	readonly waitNs: Float64Array;
	readonly modelNs: Float64Array;
}

/** One entry a request, in the order of the answers; ns of CLOCK_MONOTONIC. Only with `stamps`. */
export interface StampColumns {
	readonly handlerStartNs: BigInt64Array;
	readonly rowReadyNs: BigInt64Array;
	readonly scoreBackNs: BigInt64Array;
	readonly replyWrittenNs: BigInt64Array;
}

/** service → lab */
export type ServiceMessage =
	| { readonly type: "ready"; readonly port: number; readonly pid: number }
	| {
			readonly type: "counted";
			readonly answered: number;
			/** CPU of the whole process since `count`, µs (user + system). */
			readonly cpuUs: number;
			readonly rssBytes: number;
			readonly batches: BatchColumns;
			readonly stamps?: StampColumns;
	  }
	| { readonly type: "failed"; readonly code: string; readonly message: string; readonly hint?: string };

/** The reply of `POST /predict` for one customer. `score` is the model's float32 written out in full. */
export interface PredictReply {
	readonly customerId: number;
	readonly month: string;
	readonly score: number;
	/** Rows in the model call that made the score; 1 with `none`, 0 without a model. */
	readonly batchSize: number;
	/** Points into BatchColumns; 0 with `none`. */
	readonly batchId: number;
}
