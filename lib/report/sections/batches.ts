import { fact, prose } from "../prose.js";
import { table } from "../table.js";
import { mainBatched } from "./answer.js";
import { type Context, code, listed, placeOf, rateText, type Section } from "./context.js";

const REASONS = ["full", "timer", "idle", "deadline", "drain"];

/** Figures of all batches of a cell, every round counted together: the same way in the pictures and here. */
export function batchKey(cell: { readonly model: string; readonly setting: string; readonly rateMultiple: number }) {
	return `batches/${cell.model}/${cell.setting}/x${cell.rateMultiple}`;
}

function oneDecimal(context: Context, key: string, unit: string): string {
	const value = context.value(key);
	return value === undefined ? "" : prose`${fact(key, value, unit, value.toFixed(1))}`;
}

/** Batch sizes by rate, and why batches left. */
export function batches(context: Context): Section | null {
	const rows = context.cells.flatMap((cell) => {
		const key = batchKey(cell);
		if (context.value(`${key}/meanBatch`) === undefined) return [];
		const reasons = REASONS.flatMap((name) => {
			const share = oneDecimal(context, `${key}/${name}Percent`, "%");
			return share === "" ? [] : [`${name} ${share}`];
		});
		const lesson = cell.model === "gbt" ? context.lesson(`${key}/meanBatch`) : "–";
		return [[placeOf(cell), oneDecimal(context, `${key}/meanBatch`, ""), lesson, reasons.join(", ")]];
	});
	if (rows.length === 0) return null;
	const head = ["", "rows in a batch, mean", "the lesson's", "left because"];
	const markdown = `All batches of all rounds, counted together.\n\n${table([head, ...rows])}\n\n${context.models.flatMap((model) => fuller(context, model)).join("\n")}`;
	return { id: "batches", title: "Batch sizes and flush reasons", markdown, addedLater: false };
}

/** Does the bus fill by itself when it is busy? */
function fuller(context: Context, model: string): string[] {
	const setting = mainBatched(context, model);
	const rates = context.ratesOf(model);
	const [low, high] = [rates[0], rates.at(-1)];
	if (setting === undefined || low === undefined || high === undefined || low === high) return [];
	const key = (rateMultiple: number) => `${batchKey({ model, setting, rateMultiple })}/meanBatch`;
	const [quiet, busy] = [context.value(key(low)), context.value(key(high))];
	if (quiet === undefined || busy === undefined) return [];
	const sizes = `${oneDecimal(context, key(low), "rows")} at ${rateText(low)}, ${oneDecimal(context, key(high), "rows")} at ${rateText(high)}`;
	return busy > 1.2 * quiet
		? [
				`- The busier it is, the fuller the bus, by itself: ${code(model)} with ${code(setting)} had ${sizes}. Nobody had to wait on purpose for that.`,
			]
		: [`- Here the batches of ${code(model)} with ${code(setting)} did not grow with the traffic: ${sizes}.`];
}

/** Medians of the stages of a request, in the round that kept the stamps: three cells a model tell them all. */
export function stages(context: Context): Section | null {
	const cells = context.models.flatMap((model) => {
		const rates = context.ratesOf(model);
		const [low, high] = [rates[0], rates.at(-1)];
		const batched = mainBatched(context, model);
		return context.cells.filter(
			(cell) =>
				cell.model === model &&
				((cell.setting === "none" && (cell.rateMultiple === low || cell.rateMultiple === high)) ||
					(cell.setting === batched && cell.rateMultiple === high)),
		);
	});
	const key = (cell: (typeof cells)[number]) => `sweep/${cell.model}/${cell.setting}/x${cell.rateMultiple}`;
	const shown = cells.filter((cell) => context.value(`${key(cell)}/beforeModelUs`) !== undefined);
	if (shown.length === 0) return null;
	const steps = ["beforeModelUs", "modelAndWaitUs", "afterModelUs"];
	const means = ["beforeHandlerMeanUs", "insideHandlerMeanUs"];
	const head: Readonly<Record<string, string>> = {
		beforeModelUs: "body, check, look-up",
		modelAndWaitUs: "wait until the model is free, and the call",
		afterModelUs: "building the answer",
		beforeHandlerMeanUs: "due until the handler begins, mean",
		insideHandlerMeanUs: "inside it, mean",
	};
	// In the order of time; what happened inside as a whole stands last.
	const names = [means[0] ?? "", ...steps, means[1] ?? ""].filter((name) =>
		shown.some((cell) => context.value(`${key(cell)}/${name}`) !== undefined),
	);
	const rows = shown.map((cell) => [placeOf(cell), ...names.map((name) => context.show(`${key(cell)}/${name}`, "µs"))]);
	const longest = shown.filter((cell) => {
		const [before, inside] = means.map((name) => context.value(`${key(cell)}/${name}`));
		return before !== undefined && inside !== undefined && before > inside;
	});
	const where =
		longest.length === 0
			? ""
			: `On average most of the time passed *before* the handler began, ${longest.length === shown.length ? "in each of these cases" : `with ${listed(longest.map(placeOf))}`}: the request had been due, and lay in the client or in the network until the event loop came to read it. The service's own clocks never see that wait. `;
	const lesson = prose`The lesson, inside the handler: ${fact("reference/lesson-166", 50, "µs")} before the model, ${fact("reference/lesson-168", 590, "µs")} in it with ${code("none")}, ${fact("reference/lesson-167", 12, "µs")} after.`;
	return {
		id: "stages",
		title: "Inside the handler",
		markdown: `The **handler** is the part of the service that works on one request. In one round every request carried a stamp at each step; a column called *mean* is an average, the others are middle times. "Inside it" holds the three steps before it, and what lay between them.\n\n${table([["", ...names.map((name) => head[name] ?? name)], ...rows])}\n\n${where}${lesson}`,
		addedLater: false,
	};
}
