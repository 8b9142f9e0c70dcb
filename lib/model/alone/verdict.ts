import { CodedError } from "../../base/index.js";

/** What a call of `size` rows takes, µs: the median over rounds. */
export interface CallCost {
	readonly size: number;
	readonly us: number;
}

/** Can batching make this model cheaper at all, and by how much at most? */
export interface BatchingVerdict {
	readonly batchingCanHelp: boolean;
	/** One sentence with the numbers it rests on. */
	readonly reason: string;
	/** Of the measured sizes, the one with the least time a row. */
	readonly cheapestSize: number;
	/** Time a row alone ÷ time a row at `cheapestSize`. */
	readonly timesCheaper: number;
}

const us = (value: number) => (value < 10 ? value.toFixed(2) : value < 1000 ? value.toFixed(1) : value.toFixed(0));

/**
 * Batching can help when some measured size saves at least `saving` of a row's time against a row alone – the same
 * 10 % as the plateau rule. It bounds the model's share only: what a request costs beside its model call is not in it.
 *
 * @throws {CodedError} `BAD_OPTION` when size 1 or every larger size is missing.
 */
export function judgeBatching(costs: readonly CallCost[], saving = 0.1): BatchingVerdict {
	const alone = costs.find(({ size }) => size === 1);
	const together = costs.filter(({ size }) => size > 1).map(({ size, us: time }) => ({ size, perRow: time / size }));
	const [first, ...rest] = together;
	if (alone === undefined || first === undefined)
		throw new CodedError("BAD_OPTION", "whether batching can help needs the time of one row and of a larger size", {
			hint: "for instance --sizes 1,8,32",
		});
	const cheapest = rest.reduce((best, cost) => (cost.perRow < best.perRow ? cost : best), first);
	const timesCheaper = alone.us / cheapest.perRow;
	const batchingCanHelp = cheapest.perRow <= (1 - saving) * alone.us;
	const numbers = `a row alone takes ${us(alone.us)} µs, in a call of ${cheapest.size} rows it takes ${us(cheapest.perRow)} µs`;
	const reason = batchingCanHelp
		? `${numbers}: up to ${timesCheaper.toFixed(1)} times less model time a row`
		: `${numbers}: that is not even ${(100 * saving).toFixed(0)} % less, so a larger batch only makes its rows wait`;
	return { batchingCanHelp, reason, cheapestSize: cheapest.size, timesCheaper };
}
