import { type BatcherOptions, type BatcherStats, type CallContext, MicroBatcher } from "../batcher/index.js";
import type { Model } from "../model/index.js";
import type { Exchange } from "./exchange.js";
import type { ModelInput, Row } from "./row.js";
import type { Scorer } from "./scorer.js";

/** Settings `bXwY`: rows gather in a MicroBatcher and share model calls. */
export class BatchedScorer implements Scorer {
	readonly batcherStats: () => BatcherStats;
	readonly #batcher: MicroBatcher<Row, number>;
	readonly #model: Model;
	readonly #input: ModelInput;
	readonly #capacity: number;
	/** Buffers of B rows that no call is using. Usually one; a call that never comes back keeps its own. */
	readonly #buffers: Float32Array[] = [];

	constructor(model: Model, input: ModelInput, options: BatcherOptions & { readonly maxBatchSize: number }) {
		this.#model = model;
		this.#input = input;
		this.#capacity = options.maxBatchSize * input.width;
		this.#batcher = new MicroBatcher<Row, number>((rows, context) => this.#score(rows, context), options);
		this.batcherStats = () => this.#batcher.stats();
	}

	one(row: Row, exchange: Exchange): void {
		this.#batcher.submit(row, exchange).then(
			(score) => {
				row.score = score;
				exchange.answer(row);
			},
			(error) => exchange.fail(error),
		);
	}

	many(rows: readonly Row[], exchange: Exchange): void {
		this.#batcher.submitMany(rows, exchange).then(
			(scores) => {
				for (const [index, row] of rows.entries()) row.score = scores[index] ?? Number.NaN;
				exchange.answerList(rows);
			},
			(error) => exchange.fail(error),
		);
	}

	flush(): void {
		void this.#batcher.drain();
	}

	close(): Promise<void> {
		return this.#batcher.close();
	}

	async #score(rows: readonly Row[], { batchId }: CallContext): Promise<Float32Array> {
		const { width } = this.#input;
		const buffer = this.#buffers.pop() ?? new Float32Array(this.#capacity);
		for (let index = 0; index < rows.length; index++) {
			const row = rows[index] as Row;
			buffer.set(row.features, index * width);
			row.batchId = batchId;
			row.batchSize = rows.length;
		}
		const scores = await this.#model.score(this.#input.columns(buffer.subarray(0, rows.length * width)), rows.length);
		this.#buffers.push(buffer);
		return scores;
	}
}
