import { type Command, Option } from "commander";
import { CodedError } from "../../base/index.js";
import type { ArrivalShape, LoadOptions, LoadReport, Percentiles } from "../../client/index.js";
import { interruptible } from "../interrupt.js";
import { createProgress, numberOption, writeJson } from "../io.js";
import { micros, textTable, whole } from "../table.js";

interface Options {
	readonly url: string;
	readonly rate: number;
	readonly seconds: number;
	readonly connections: number;
	readonly shape: ArrivalShape;
	readonly pacing: "timer" | "precise";
	readonly method?: string;
	readonly header: readonly (readonly [string, string])[];
	readonly body?: string;
	readonly bodies?: string;
	readonly seed: number;
	readonly warmup: number;
	readonly drain: number;
	readonly maxLost: number;
	readonly topology?: "shared" | "separate";
	readonly json?: boolean;
}

function header(text: string, before: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
	const colon = text.indexOf(":");
	if (colon < 1) throw new CodedError("BAD_HEADER", `--header takes "name: value", got "${text}"`);
	return [...before, [text.slice(0, colon).trim(), text.slice(colon + 1).trim()]];
}

async function load(options: Options): Promise<LoadReport> {
	const { runLoad, bodiesFrom, readBodyLines } = await import("../../client/index.js");
	const { url, rate, seconds, connections, shape, pacing, method, seed, topology } = options;
	const lines = options.bodies === undefined ? undefined : readBodyLines(options.bodies);
	const asked: LoadOptions = {
		url,
		ratePerSecond: rate,
		seconds,
		connections,
		shape,
		pacing,
		seed,
		bodies: bodiesFrom(options.body, lines),
		warmupSeconds: options.warmup,
		drainSeconds: options.drain,
		lostShare: options.maxLost,
		...(method === undefined ? {} : { method }),
		...(options.header.length === 0 ? {} : { headers: options.header }),
		...(topology === undefined ? {} : { topology }),
	};
	const progress = createProgress();
	const began = performance.now();
	const total = options.warmup + seconds;
	let text = "";
	// Twice a second and in another process than the client's: a bar must not delay a send.
	const tick = () => progress.update({ done: Math.min(total, (performance.now() - began) / 1000), total, text });
	const ticking = setInterval(tick, 500);
	try {
		return await interruptible((signal) =>
			runLoad({
				...asked,
				signal,
				onPhase(phase) {
					text = phase === "counting" ? `${whole(rate)} requests a second for ${seconds} s` : "warm-up, not counted";
					tick();
				},
			}),
		);
	} finally {
		clearInterval(ticking);
		progress.stop();
	}
}

const NAMES = ["p50", "p90", "p95", "p98", "p99", "p999", "max"] as const;
const cell = (ms: number | null) => (ms === null ? "–" : ms < 10 ? ms.toFixed(3) : ms.toFixed(1));
const row = (name: string, of: Percentiles) => [name, ...NAMES.map((percent) => cell(of[percent]))];

function toText(report: LoadReport): string {
	const { scheduled, answered, failed, timedOut, unsent, latencyMs, serviceTimeMs, latenessMs, reasons } = report;
	const statuses = Object.entries(report.statusCounts).map(([status, count]) => `${whole(count)} × HTTP ${status}`);
	const cpu = report.cpuUsPerAnswer === null ? "" : `; ${micros(report.cpuUsPerAnswer)} µs of CPU an answer`;
	const waited = report.waitedForConnection;
	return [
		`${report.url}: ${report.shape} arrivals, ${whole(report.ratePerSecond)} a second for ${report.seconds} s, seed ${report.seed}`,
		`${whole(scheduled)} scheduled = ${whole(answered)} answered + ${whole(failed)} failed + ${whole(timedOut)} timed out + ${whole(unsent)} unsent`,
		...(statuses.length === 0 ? [] : [statuses.join(", ")]),
		`offered ${whole(report.offeredPerSecond)} a second, answered ${whole(report.answeredPerSecond)}: ${report.keepsUp ? "keeps up" : "does not keep up"}`,
		"",
		textTable(
			["ms", "p50", "p90", "p95", "p98", "p99", "p99.9", "max"],
			[row("latency, from the scheduled arrival", latencyMs), row("service time, from the send", serviceTimeMs)],
		),
		`client: sends late by ${cell(latenessMs.p50)} ms (p50), ${cell(latenessMs.p99)} ms (p99), pacing ${report.pacing}${cpu}`,
		...(waited === 0
			? []
			: [`${whole(waited)} requests found all ${report.connections} connections taken; that wait is in their latency`]),
		...(report.reopenings === 0 ? [] : [`${whole(report.reopenings)} connections had been closed and were reopened`]),
		[report.verdict, ...reasons].join("\n  "),
		"",
	].join("\n");
}

export function registerLoad(program: Command): void {
	program
		.command("load")
		.description("How does any HTTP service answer requests that come when they come? An honest open-loop client")
		.requiredOption("--url <url>", "where requests go, http://… or https://…")
		.requiredOption("--rate <r>", "mean requests a second", numberOption("--rate", { min: 0.01, max: 1e6 }))
		.requiredOption("--seconds <n>", "how long requests arrive", numberOption("--seconds", { min: 0.1, max: 86_400 }))
		.option(
			"--connections <n>",
			"kept-alive connections; requests that find none free wait, and that wait counts",
			numberOption("--connections", { min: 1, max: 512, integer: true }),
			128,
		)
		.addOption(
			new Option("--shape <name>", "when requests come").choices(["poisson", "constant", "bursty"]).default("poisson"),
		)
		.addOption(
			new Option("--pacing <name>", "timer: cheap; precise: on time to some µs, burns a core")
				.choices(["timer", "precise"])
				.default("timer"),
		)
		.option("--method <name>", "default: POST with a body, GET without")
		.option("--header <line>", '"name: value"; may be given more than once', header, [])
		.option("--body <template>", "the body; {{index}} is the request's number, {{line}} a line of --bodies")
		.option("--bodies <file>", "a body a line, used in turn")
		.option("--seed <n>", "equal seeds give equal arrivals", numberOption("--seed", { integer: true }), 1)
		.option("--warmup <s>", "seconds at the same rate, not counted", numberOption("--warmup", { min: 0, max: 3600 }), 1)
		.option(
			"--drain <s>",
			"how long answers are waited for after the last arrival",
			numberOption("--drain", { min: 0.1, max: 3600 }),
			30,
		)
		.option(
			"--max-lost <share>",
			"share of the requests that may end without an answer in a VALID run",
			numberOption("--max-lost", { min: 0, max: 1 }),
			0,
		)
		.addOption(
			new Option("--topology <name>", "shared: the service runs on the client's only core").choices([
				"shared",
				"separate",
			]),
		)
		.option("--json", "print one JSON object")
		.action(async (options: Options) => {
			const report = await load(options);
			if (options.json) writeJson(report);
			else process.stdout.write(toText(report));
			if (report.verdict === "INVALID") process.exitCode = 1;
		});
}
