import type { Model } from "../model/index.js";
import type { ModelInput } from "./row.js";

const CALLS_PER_SIZE = 3;

/**
 * Scores synthetic batches before the service listens, so that the first real request does not pay for the model's
 * first call at its size: 1, 2, 4 … up to B rows.
 */
export async function warmUp(model: Model, input: ModelInput, maxBatchSize: number): Promise<void> {
	for (let rows = 1; ; rows = Math.min(2 * rows, maxBatchSize)) {
		for (let call = 0; call < CALLS_PER_SIZE; call++)
			await model.score(input.columns(new Float32Array(rows * input.width)), rows);
		if (rows >= maxBatchSize) return;
	}
}
