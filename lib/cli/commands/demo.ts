import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Command } from "commander";
import { CodedError, findProject } from "../../base/index.js";
import { interruptible } from "../interrupt.js";
import { createProgress, writeJson } from "../io.js";

interface Options {
	readonly save?: string;
	readonly json?: boolean;
}

function save(path: string, text: string): void {
	try {
		writeFileSync(path, text);
	} catch (cause) {
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new CodedError("CANNOT_SAVE", `the demo's result cannot be written: ${reason}`, { cause });
	}
}

async function demo(options: Options): Promise<void> {
	const { prepareAssets, runtimeVersion } = await import("../../model/index.js");
	const { machineText, demoText } = await import("../demo/text.js");
	const { measureDemo } = await import("../demo/measure.js");
	const { measuredOn } = await import("../environment.js");
	await runtimeVersion(); // a missing package is told before anything else is
	if (options.save !== undefined) save(options.save, ""); // and so is a place that cannot be written to
	const say = (text: string) => void (options.json ? process.stderr : process.stdout).write(text);
	say(machineText(availableParallelism()));
	const environment = await measuredOn();
	const start = performance.now();
	const progress = createProgress();
	try {
		const models = await interruptible(async (signal) => {
			const task = { signal, onProgress: progress.update };
			return measureDemo(await prepareAssets(findProject().dataDir, task), task);
		});
		progress.stop();
		const seconds = (performance.now() - start) / 1000;
		const result = { models, seconds, environment };
		if (options.save !== undefined) save(options.save, `${JSON.stringify(result, null, "\t")}\n`);
		if (options.json) writeJson(result);
		else say(demoText(models, seconds));
	} finally {
		progress.stop();
	}
}

export function registerDemo(program: Command): void {
	program
		.command("demo")
		.description("in less than a minute, without a server: what a call costs here, the bits, and a tiny batcher")
		.option("--save <file>", "write everything that was measured, as JSON")
		.option("--json", "print one JSON object")
		.action(demo);
}
