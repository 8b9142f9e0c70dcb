import { CodedError } from "../base/index.js";

/** How the service answers: without a batcher, with one, or as a control that has no model at all. */
export type Setting =
	| { readonly name: string; readonly kind: "none" }
	| { readonly name: string; readonly kind: "batched"; readonly maxBatchSize: number; readonly maxWaitMs: number }
	| { readonly name: string; readonly kind: "nomodel" | "nomodel-deferred" };

/** What the record can hold (16 bits a batch). */
const MAX_BATCH_SIZE = 65_535;

/**
 * Reads a setting's name: `none`, `b32w2` (B = 32 rows, W = 2 ms; W may have decimals), `nomodel`, `nomodel-deferred`.
 *
 * @throws {CodedError} `UNKNOWN_SETTING`, or `WAIT_WITHOUT_BATCH` for B = 1 with W above 0.
 */
export function parseSetting(name: string): Setting {
	if (name === "none") return { name, kind: "none" };
	if (name === "nomodel" || name === "nomodel-deferred") return { name, kind: name };
	const match = /^b([1-9]\d{0,4})w(\d{1,5}(?:\.\d{1,3})?)$/.exec(name);
	const maxBatchSize = Number(match?.[1]);
	const maxWaitMs = Number(match?.[2]);
	if (match === null || maxBatchSize > MAX_BATCH_SIZE) {
		throw new CodedError(
			"UNKNOWN_SETTING",
			`unknown setting "${name}"; expected none, nomodel, nomodel-deferred or bXwY (b32w2: at most 32 rows, a wait of at most 2 ms), with X up to ${MAX_BATCH_SIZE}`,
		);
	}
	if (maxBatchSize === 1 && maxWaitMs > 0) {
		throw new CodedError(
			"WAIT_WITHOUT_BATCH",
			`setting "${name}" has no meaning: a batch of one row is full the moment its row arrives, so it never waits`,
			{
				hint: "use b1w0, or a larger B",
			},
		);
	}
	return { name, kind: "batched", maxBatchSize, maxWaitMs };
}
