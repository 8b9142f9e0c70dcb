import type { Model } from "../model/index.js";
import { ServiceError } from "./errors.js";
import type { Exchange } from "./exchange.js";
import type { Instruments } from "./instruments.js";
import { nowNs } from "./request.js";
import type { ModelInput, Row } from "./row.js";
import type { Scorer } from "./scorer.js";

/**
 * Setting `none`: one model call a row, as `await session.run()` in a handler does it. Nothing else runs on the loop
 * while the model does; that is what the batcher is compared with. A list is scored row by row.
 */
export class SingleScorer implements Scorer {
	readonly batcherStats: undefined;
	readonly #model: Model;
	readonly #input: ModelInput;
	readonly #instruments: Instruments;

	constructor(model: Model, input: ModelInput, instruments: Instruments) {
		this.#model = model;
		this.#input = input;
		this.#instruments = instruments;
	}

	one(row: Row, exchange: Exchange): void {
		this.#score(row).then(
			() => exchange.answer(row),
			(error) => exchange.fail(error),
		);
	}

	many(rows: readonly Row[], exchange: Exchange): void {
		this.#scoreAll(rows, exchange).then(
			() => exchange.answerList(rows),
			(error) => exchange.fail(error),
		);
	}

	/** Nothing waits here: a call that has begun answers on its own. */
	flush(): void {}

	async close(): Promise<void> {}

	async #scoreAll(rows: readonly Row[], exchange: Exchange): Promise<void> {
		for (const row of rows) {
			if (exchange.finished) return; // hung up: the rest is not worth a call
			await this.#score(row);
		}
	}

	async #score(row: Row): Promise<void> {
		const startNs = nowNs();
		const scores = await this.#call(row);
		this.#instruments.call(1, nowNs() - startNs);
		const [score] = scores;
		if (scores.length !== 1 || score === undefined)
			throw new ServiceError("BAD_SCORE_COUNT", `the model answered one row with ${scores.length} scores`);
		if (!Number.isFinite(score)) throw new ServiceError("NON_FINITE_SCORE", `the model answered ${score}`);
		row.score = score;
		row.batchSize = 1;
	}

	async #call(row: Row): Promise<Float32Array> {
		try {
			return await this.#model.score(this.#input.columns(row.features), 1);
		} catch (cause) {
			const reason = cause instanceof Error ? cause.message : String(cause);
			throw new ServiceError("MODEL_FAILED", `the model failed: ${reason}`, { cause });
		}
	}
}
