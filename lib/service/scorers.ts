import type { BatcherOptions } from "../batcher/index.js";
import { FLUSH_REASONS } from "../batcher/index.js";
import { callsAtOnce } from "./calls-at-once.js";
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

/** Only what was given: the batcher has defaults of its own. */
function limits({ maxQueue, queueDeadlineMs, modelTimeoutMs }: ServiceOptions): BatcherOptions {
	return {
		...(maxQueue === undefined ? {} : { maxQueue }),
		...(queueDeadlineMs === undefined ? {} : { queueDeadlineMs }),
		...(modelTimeoutMs === undefined ? {} : { modelTimeoutMs }),
	};
}
