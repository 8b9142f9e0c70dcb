import { loadavg } from "node:os";
import { judgeBatching } from "../../model/index.js";
import { cpuName } from "../environment.js";
import { micros, textTable, whole } from "../table.js";
import type { DemoModel } from "./measure.js";

/** First of all: which machine this is, and whether it has something else to do. */
export function machineText(cores: number): string {
	const load =
		process.platform === "win32"
			? "not available"
			: loadavg()
					.map((value) => value.toFixed(2))
					.join(" ");
	return [
		`CPUs: ${cores} × ${cpuName()}; load over 1, 5 and 15 minutes: ${load}.`,
		"All times below are from this machine, now. Another machine, or this one when it is busy, gives other times.",
		"",
		"",
	].join("\n");
}

function bitsText(models: readonly DemoModel[]): string {
	return models
		.map(({ model, bits: { rows, distinctScores, identical, sizes } }) => {
			const worst = Math.max(...sizes.map(({ differingRows }) => differingRows));
			const ulp = Math.max(...sizes.map(({ maxUlp }) => maxUlp));
			const verdict = identical
				? "every batched score has the bits of the score alone"
				: `up to ${whole(worst)} rows have other bits in a batch, by at most ${whole(ulp)} ULP`;
			return `  ${model}: ${whole(rows)} rows, ${whole(distinctScores)} distinct scores: ${verdict}.\n`;
		})
		.join("");
}

export function demoText(models: readonly DemoModel[], seconds: number): string {
	const sizes = models[0]?.costs.map(({ size }) => size) ?? [];
	const times = textTable(
		["µs a call, at rows", ...sizes.map(whole)],
		models.map(({ model, costs }) => [model, ...costs.map(({ us }) => micros(us))]),
	);
	const callers = textTable(
		["rows a second", "one call each", "batched", "gain", "mean batch"],
		models.map(({ model, callers: result }) => [
			model,
			whole(result.oneByOnePerSecond),
			whole(result.batchedPerSecond),
			`${result.gain.toFixed(2)}×`,
			result.meanBatch.toFixed(1),
		]),
	);
	return [
		"What a model call costs",
		times,
		...models.map(({ model, costs }) => `  ${model}: ${judgeBatching(costs).reason}.`),
		"",
		"Are the bits the same in a batch?",
		bitsText(models),
		`${models[0]?.callers.callers ?? 0} callers at once, no server: one call each, or a tiny batcher (at most 32 rows, no wait)`,
		callers,
		`Done in ${seconds.toFixed(0)} s. With a server around the model the gain is another: npm start measures it.`,
		"",
	].join("\n");
}
