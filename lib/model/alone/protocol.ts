/** Part A in a fresh process: what it is told (argv[2], one JSON object). */
export interface AloneConfig {
	readonly dataDir: string;
	/** `gbt`, `ft`, `mlp` or the path of an .onnx file. */
	readonly model: string;
	/** Sizes in the order in which to take them. */
	readonly order: readonly number[];
	/** At most so many counted calls a size … */
	readonly calls: number;
	/** … in at most about so long. */
	readonly budgetMs: number;
	/** Orders the rows that are scored. */
	readonly seed: number;
	readonly threads: number;
}

/** Counted calls of one size, ns a call. Quantiles are nearest-rank. */
export interface AloneSize {
	readonly size: number;
	readonly calls: number;
	readonly minNs: number;
	readonly p25Ns: number;
	readonly p50Ns: number;
	readonly p75Ns: number;
	readonly p99Ns: number;
	readonly meanNs: number;
}

/** child → parent */
export type AloneMessage =
	/** Loaded and warm; idle until it is told to go. */
	| { readonly type: "ready"; readonly rowsFrom: string }
	| { readonly type: "size"; readonly size: AloneSize }
	| { readonly type: "failed"; readonly code: string; readonly message: string; readonly hint?: string };

/** parent → child; a closed channel ends it as well. */
export type AloneCommand = { readonly type: "go" };
