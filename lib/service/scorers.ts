import type { BatcherOptions } from "../batcher/index.js";
import { FLUSH_REASONS } from "../batcher/index.js";
import type { Instruments } from "./instruments.js";
import type { ServiceOptions } from "./options.js";
import type { ModelInput } from "./row.js";
import type { Scorer } from "./scorer.js";
import { BatchedScorer } from "./scorer-batched.js";
import { ControlScorer } from "./scorer-control.js";
import { SingleScorer } from "./scorer-single.js";

/** The scorer of a setting. */
export function createScorer(options: ServiceOptions, input: ModelInput, instruments: Instruments): Scorer {
	const { model, setting, batches } = options;
	switch (setting.kind) {
		case "none":
			return new SingleScorer(model, input, instruments);
		case "nomodel":
			return new ControlScorer(false);
		case "nomodel-deferred":
			return new ControlScorer(true);
		case "batched": {
			const onBatch: BatcherOptions["onBatch"] = (report) => {
				instruments.batch(report);
				batches?.add(report, FLUSH_REASONS.indexOf(report.reason));
			};
			return new BatchedScorer(model, input, {
				maxBatchSize: setting.maxBatchSize,
				maxWaitMs: setting.maxWaitMs,
				maxInFlight: options.maxInFlight ?? callsAtOnce(setting.maxBatchSize, setting.maxWaitMs),
				isolate: options.isolate ?? true,
				onBatch,
				...limits(options),
			});
		}
	}
}

/** As many rows as one full batch of the usual B may stand before the model together. */
const ROWS_AT_ONCE = 32;

/**
 * How many model calls a turn of the loop may launch. With W = 0 and a small B the batches that one turn forms are
 * launched together and run back to back; one call a turn would read the sockets between any two, which costs
 * `b1w0` a third of its answers (0.61 instead of 0.88 × S, 16 connections, `gbt`), `b8w0` a tenth (1.34 instead of
 * 1.52 × S), and `b32w0` nothing either way (1.54 × S). A row that is launched can no longer be dropped, so no
 * more than one batch of 32 would hold; and who waits on purpose (W above 0) keeps to one call.
 */
function callsAtOnce(maxBatchSize: number, maxWaitMs: number): number {
	return maxWaitMs > 0 ? 1 : Math.max(1, Math.floor(ROWS_AT_ONCE / maxBatchSize));
}

/** Only what was given: the batcher has defaults of its own. */
function limits({ maxQueue, queueDeadlineMs, modelTimeoutMs }: ServiceOptions): BatcherOptions {
	return {
		...(maxQueue === undefined ? {} : { maxQueue }),
		...(queueDeadlineMs === undefined ? {} : { queueDeadlineMs }),
		...(modelTimeoutMs === undefined ? {} : { modelTimeoutMs }),
	};
}
