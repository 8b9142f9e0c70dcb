import type { Exchange } from "./exchange.js";
import type { Row } from "./row.js";
import type { Scorer } from "./scorer.js";

/**
 * The two controls: everything but the model. `nomodel` answers inside the handler; `nomodel-deferred` answers from
 * a `setImmediate`, as a batch does, and so shows what of batching's gain is only the deferral: several replies
 * written in one turn of the loop instead of one. The score is 0.
 */
export class ControlScorer implements Scorer {
	readonly batcherStats: undefined;
	readonly #answer: (row: Row, exchange: Exchange) => void;
	readonly #answerList: (rows: readonly Row[], exchange: Exchange) => void;

	constructor(deferred: boolean) {
		const answer = (row: Row, exchange: Exchange) => exchange.answer(row);
		const answerList = (rows: readonly Row[], exchange: Exchange) => exchange.answerList(rows);
		this.#answer = deferred ? (row, exchange) => void setImmediate(answer, row, exchange) : answer;
		this.#answerList = deferred ? (rows, exchange) => void setImmediate(answerList, rows, exchange) : answerList;
	}

	one(row: Row, exchange: Exchange): void {
		this.#answer(row, exchange);
	}

	many(rows: readonly Row[], exchange: Exchange): void {
		this.#answerList(rows, exchange);
	}

	/** Nothing ever waits here. */
	flush(): void {}

	async close(): Promise<void> {}
}
