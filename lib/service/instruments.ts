import type { BatchReport } from "../batcher/index.js";
import { BATCH_SIZE_BOUNDS, Counts, DURATION_BOUNDS, MODEL_TIME_BOUNDS } from "./histogram.js";

const STATUS_LIMIT = 600;

/** What one route has answered. */
export class RouteCounts {
	readonly method: string;
	/** The route's pattern, never the URL that was asked: labels must stay few. */
	readonly route: string;
	readonly durationSeconds = new Counts(DURATION_BOUNDS);
	readonly #byStatus = new Uint32Array(STATUS_LIMIT);

	constructor(method: string, route: string) {
		this.method = method;
		this.route = route;
	}

	add(status: number, durationNs: number): void {
		this.#byStatus[status] = (this.#byStatus[status] ?? 0) + 1;
		this.durationSeconds.add(durationNs / 1e9);
	}

	/** [status, count] of every status that was answered. */
	*statuses(): Iterable<readonly [number, number]> {
		for (let status = 0; status < STATUS_LIMIT; status++) {
			const count = this.#byStatus[status] ?? 0;
			if (count > 0) yield [status, count];
		}
	}

	get answered(): number {
		return this.durationSeconds.count;
	}
}

/** Everything the service counts while it works: plain numbers, read by `/metrics`, `/healthz` and the laboratory. */
export class Instruments {
	readonly predict = new RouteCounts("POST", "/predict");
	readonly healthz = new RouteCounts("GET", "/healthz");
	readonly metrics = new RouteCounts("GET", "/metrics");
	/** Unknown routes, and what was not HTTP at all. */
	readonly other = new RouteCounts("any", "other");
	readonly routes: readonly RouteCounts[] = [this.predict, this.healthz, this.metrics, this.other];

	readonly batchSize = new Counts(BATCH_SIZE_BOUNDS);
	readonly modelSeconds = new Counts(MODEL_TIME_BOUNDS);
	/** How long the first row of a batch really waited. */
	readonly waitSeconds = new Counts(DURATION_BOUNDS);
	/** Sum of the waits asked for, one a batch. */
	askedWaitSeconds = 0;
	/** Rows that got an error because the model or the service failed, not their request. */
	inferenceErrors = 0;

	/** One model call without a batcher. */
	call(rows: number, modelNs: number): void {
		this.batchSize.add(rows);
		this.modelSeconds.add(modelNs / 1e9);
	}

	batch({ size, modelNs, waitNs, askedWaitNs }: BatchReport): void {
		this.call(size, modelNs);
		this.waitSeconds.add(waitNs / 1e9);
		this.askedWaitSeconds += askedWaitNs / 1e9;
	}
}
