import type { Command } from "commander";
import { CodedError, findProject } from "../../base/index.js";
import type { Setting } from "../../service/index.js";
import { interruptible } from "../interrupt.js";
import { createProgress, numberOption } from "../io.js";

interface Options {
	readonly model: string;
	readonly setting?: string;
	readonly maxBatchSize?: number;
	readonly maxWaitMs?: number;
	readonly maxQueue?: number;
	readonly queueDeadlineMs?: number;
	readonly modelTimeoutMs?: number;
	readonly port: number;
	readonly host: string;
	readonly log?: boolean;
}

/** The setting's name, or B and W on their own: one way of saying it at a time. */
function settingOf({ setting, maxBatchSize, maxWaitMs }: Options, parse: (name: string) => Setting): Setting {
	if (maxBatchSize === undefined && maxWaitMs === undefined) return parse(setting ?? "b32w0");
	if (setting !== undefined)
		throw new CodedError("USAGE", "--setting says B and W already; give it, or --max-batch-size and --max-wait-ms");
	// Thousandths, as a setting's name has them: 5e-7 would be no name, and no clock could keep it.
	return parse(`b${maxBatchSize ?? 32}w${Number((maxWaitMs ?? 0).toFixed(3))}`);
}

/** Resolves with the first SIGTERM or SIGINT; a second one ends the process at once. */
function toldToStop(): Promise<void> {
	return new Promise((resolve) => {
		let told = false;
		const hear = () => {
			if (told) process.exit(130);
			told = true;
			resolve();
		};
		process.on("SIGTERM", hear).on("SIGINT", hear);
	});
}

async function serve(options: Options): Promise<void> {
	const { createService, openParts, parseSetting } = await import("../../service/index.js");
	const { prepareAssets } = await import("../../model/index.js");
	const { readRequests } = await import("../../shop/index.js");
	const setting = settingOf(options, parseSetting);
	const { maxQueue, queueDeadlineMs, modelTimeoutMs } = options;
	const { dataDir } = findProject();
	const progress = createProgress();
	const assets = await interruptible((signal) =>
		prepareAssets(dataDir, { signal, onProgress: progress.update }),
	).finally(progress.stop);
	const parts = await openParts(dataDir, options.model);
	const stop = toldToStop();
	try {
		const service = createService({
			...parts,
			maxQueue,
			queueDeadlineMs,
			modelTimeoutMs,
			setting,
			logger: options.log ?? false,
		});
		const { url } = await service.listen({ port: options.port, host: options.host });
		const [{ body } = { body: '{"customerId":13085}' }] = readRequests(assets.requestsPath);
		// With --log standard output is one JSON object a line and nothing else.
		(options.log ? process.stderr : process.stdout).write(
			`${parts.model.name} with ${setting.name} on ${url}  try: curl -s ${url}/predict -H 'content-type: application/json' -d '${body}'\n`,
		);
		await stop;
		if (!(await service.stop()))
			throw new CodedError("CUT_OFF", "some requests had no answer when the time to drain was over", { exitCode: 1 });
	} finally {
		await parts.close();
	}
}

export function registerServe(program: Command): void {
	const above0 = (name: string) => numberOption(name, { min: 0.001 });
	program
		.command("serve")
		.description(
			"the service: POST /predict, GET /healthz, GET /metrics; Ctrl-C or SIGTERM answers what was accepted, then ends it",
		)
		.option("--model <name>", "gbt, ft, mlp, or the path of an .onnx file", "gbt")
		.option("--setting <name>", "none, bXwY, nomodel or nomodel-deferred (default: b32w0)")
		.option(
			"--max-batch-size <rows>",
			"B: rows a model call holds at most",
			numberOption("--max-batch-size", { min: 1, max: 65_535, integer: true }),
		)
		.option(
			"--max-wait-ms <ms>",
			"W: how long the first row of a batch waits for company",
			numberOption("--max-wait-ms", { min: 0, max: 99_999 }),
		)
		.option(
			"--max-queue <rows>",
			"rows that may wait; one more is answered 503",
			numberOption("--max-queue", { min: 1, integer: true }),
		)
		.option(
			"--queue-deadline-ms <ms>",
			"how long a row may wait; past it the answer is 504",
			above0("--queue-deadline-ms"),
		)
		.option(
			"--model-timeout-ms <ms>",
			"how long a model call may take; past it the answer is 504",
			above0("--model-timeout-ms"),
		)
		.option(
			"--port <port>",
			"0: one the system gives",
			numberOption("--port", { min: 0, max: 65_535, integer: true }),
			8080,
		)
		.option("--host <host>", "0.0.0.0 lets other machines in", "127.0.0.1")
		.option("--log", "one JSON line a request, on standard output")
		.action(serve);
}
