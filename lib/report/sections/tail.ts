import { table } from "../table.js";
import { type Context, code, keyOf, type Section } from "./context.js";
import { rateWords } from "./words.js";

/** How far the slowest requests lie from the typical one, where it is quiet. */
export function tail(context: Context): Section | null {
	const parts = context.models.flatMap((model) => {
		const rate = context.quietRateOf(model);
		const rows = context.cells.flatMap((cell) => {
			const [middle, slow] = [`${keyOf(cell)}/p50Ms`, `${keyOf(cell)}/p99Ms`];
			const [p50, p99] = [context.value(middle), context.value(slow)];
			if (cell.model !== model || cell.rateMultiple !== rate || !context.stable(cell)) return [];
			if (p50 === undefined || p99 === undefined) return [];
			return [{ cell, middle, slow, times: p99 / p50 }];
		});
		if (rate === undefined || rows.length === 0) return [];
		const body = rows.map(({ cell, middle, slow, times }) => [
			code(cell.setting),
			context.show(middle, "ms"),
			context.show(slow, "ms"),
			context.ratio(slow, middle, times, "times"),
		]);
		return [`**${code(model)}** at ${rateWords(rate)}\n\n${table([["", "p50", "p99", "p99 ÷ p50"], ...body])}`];
	});
	return parts.length === 0
		? null
		: {
				id: "tail",
				title: "From the typical request to the slowest",
				markdown: `${parts.join("\n\n")}\n\nOf a thousand requests ten are slower than the p99. In a short run these are few, and one short stumble of the machine can make them all: a p99 is less sure than a p50. So these rows compare no settings with each other.`,
				addedLater: false,
			};
}
