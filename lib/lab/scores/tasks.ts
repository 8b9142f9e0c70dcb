/** What the laboratory asks a fresh process to score. It crosses processes; argv[2] is one JSON object. */
export type ScoreTask =
	| {
			/** Batched against single-row scores over the test rows. */
			readonly task: "bits";
			readonly dataDir: string;
			readonly model: string;
			/** 0: all test rows. */
			readonly rows: number;
			readonly sizes: readonly number[];
			readonly threads: number;
	  }
	| {
			/** The single-row score of every request of the list. */
			readonly task: "requests";
			readonly dataDir: string;
			readonly model: string;
	  };

export interface BitResult {
	readonly rows: number;
	readonly distinctScores: number;
	readonly identical: boolean;
	/** Ascending by size; the last is all rows in one call. */
	readonly sizes: readonly {
		readonly size: number;
		readonly differingRows: number;
		readonly maxUlp: number;
		readonly maxAbs: number;
	}[];
}

export interface RequestScores {
	/** Float32 bits by place in the request list; null when the model does not take the shop's features. */
	readonly bits: Uint32Array | null;
}

export type ScoreMessage =
	| { readonly type: "progress"; readonly done: number; readonly total: number; readonly text: string }
	| { readonly type: "bits"; readonly value: BitResult }
	| { readonly type: "requests"; readonly value: RequestScores }
	| { readonly type: "failed"; readonly code: string; readonly message: string; readonly hint?: string };
