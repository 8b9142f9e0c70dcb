import type { Command } from "commander";
import { numberOption } from "../io.js";
import type { Output } from "../shop-data.js";

/** Loaded when it is asked for: the other commands need no store, and 20 MB less. */
const shopData = () => import("../shop-data.js");

export function registerData(program: Command): void {
	const data = program
		.command("data")
		.description("the shop behind the models: a synthetic one, or the real one imported");

	data
		.command("import")
		.argument("<file>", "retail-orders.csv.gz or retail-lines.csv.gz (either is enough), gzipped or not")
		.description("put the real shop in place of the synthetic one, and train the models on it")
		.option("--json", "print one JSON object")
		.action(async (file: string, output: Output) => (await shopData()).importData(file, output));

	data
		.command("info")
		.description("what the shop is, how many rows it has, and what the models were trained on")
		.option("--json", "print one JSON object")
		.action(async (output: Output) => (await shopData()).dataInfo(output));

	data
		.command("reset")
		.description("go back to the synthetic shop")
		.option("--seed <n>", "draw another shop", numberOption("--seed", { min: 0, max: 0x7fffffff, integer: true }))
		.option("--json", "print one JSON object")
		.action(async ({ seed, ...output }: Output & { seed?: number }) => (await shopData()).resetData(seed, output));
}
