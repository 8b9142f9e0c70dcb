/**
 * `npm run bench -- service [--check] [--rounds N]`: what the service costs, beside the same framework's echo.
 * Service and client share one core. All variants stay up and take turns of a quarter of a second; ratios and
 * differences are taken inside a round, and figures are medians over the rounds.
 */
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findProject } from "batching-lab/base";
import { type ClientConfigure, poissonArrivals, startClient } from "batching-lab/client";
import { prepareAssets } from "batching-lab/model";
import { type ServiceProcess, startService } from "batching-lab/service";
import { readRequests } from "batching-lab/shop";
import { median } from "batching-lab/stats";
import { Contestant, type TurnResult } from "./_service-turns.js";

const { values } = parseArgs({
	options: { check: { type: "boolean", default: false }, rounds: { type: "string", default: "20" } },
});
const rounds = Number(values.rounds);
const TURN_MS = 250;
const OPEN_ROUNDS = 5;
const pin = process.platform === "linux" && cpus().length > 1 ? cpus().length - 1 : undefined;
const pinned = pin === undefined ? {} : { pin };
// The client is in this process.
if (pin !== undefined) execFileSync("taskset", ["-cp", String(pin), String(process.pid)]);

interface Variant {
	readonly name: string;
	readonly entry: "echo" | "variant";
	readonly model: string;
	readonly setting: string;
	/** What its CPU is compared with. */
	readonly after?: string;
}
/** From the echo to the batched service one thing more a line, then the two to compare. */
const VARIANTS: readonly Variant[] = [
	{ name: "echo", entry: "echo", model: "handler", setting: "none" },
	{ name: "echo, deferred", entry: "echo", model: "deferred", setting: "none", after: "echo" },
	{
		name: "+ counts, hang-ups",
		entry: "variant",
		model: "instant+storeless",
		setting: "nomodel-deferred",
		after: "echo, deferred",
	},
	{
		name: "+ look-up in SQLite",
		entry: "variant",
		model: "instant",
		setting: "nomodel-deferred",
		after: "+ counts, hang-ups",
	},
	{ name: "+ batcher", entry: "variant", model: "instant", setting: "b32w0", after: "+ look-up in SQLite" },
	{ name: "+ gbt = b32w0", entry: "variant", model: "gbt", setting: "b32w0", after: "+ batcher" },
	{ name: "none", entry: "variant", model: "gbt", setting: "none", after: "echo" },
	{ name: "b1w0", entry: "variant", model: "gbt", setting: "b1w0", after: "none" },
];

const assets = await prepareAssets(findProject().dataDir);
const bodies = readRequests(assets.requestsPath).map(({ body }) => body);

function start({ entry, model, setting }: Variant): Promise<ServiceProcess> {
	const script = fileURLToPath(new URL(`./_service-${entry}.js`, import.meta.url));
	return startService(
		{ dataDir: assets.dataDir, model, setting, port: 0, stamps: false },
		{ entry: script, ...pinned },
	);
}

/** One figure over the rounds: median and range. */
class Figure {
	readonly values: readonly number[];
	constructor(values: readonly number[]) {
		this.values = values;
	}
	get median(): number {
		return median([...this.values]);
	}
	text(digits: number): string {
		const [low, middle, high] = [Math.min(...this.values), this.median, Math.max(...this.values)];
		return `${middle.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
	}
}

async function closedLoop(): Promise<ReadonlyMap<string, TurnResult[]>> {
	const contestants: { name: string; contestant: Contestant; turns: TurnResult[] }[] = [];
	for (const variant of VARIANTS)
		contestants.push({ name: variant.name, contestant: new Contestant(await start(variant), bodies), turns: [] });
	try {
		for (const { contestant } of contestants) await contestant.turn(1000); // warm-up
		for (let round = 0; round < rounds; round++) {
			process.stderr.write(`round ${round + 1} of ${rounds}\n`);
			// Forwards and backwards in turn, so that no one always follows the same neighbour.
			const order = round % 2 === 0 ? contestants : [...contestants].reverse();
			for (const { contestant, turns } of order) turns.push(await contestant.turn(TURN_MS));
		}
	} finally {
		for (const { contestant } of contestants) await contestant.stop();
	}
	return new Map(contestants.map(({ name, turns }) => [name, turns]));
}

/** One run of the laboratory's own client, on the service's core. */
async function clientRun(name: string, run: Pick<ClientConfigure, "mode" | "connections"> & Partial<ClientConfigure>) {
	const variant = VARIANTS.find((each) => each.name === name);
	if (variant === undefined) throw new Error(`no variant ${name}`);
	const service = await start(variant);
	const client = await startClient(pinned);
	try {
		await client.configure({
			type: "configure",
			url: `http://127.0.0.1:${service.port}/predict`,
			bodies,
			offset: 0,
			// Long: what V8 has not compiled yet costs more than the batcher does.
			warmupMs: 3500,
			warmupBurstMs: 3000,
			warmupRate: 0,
			countMs: 1000,
			pacing: "timer",
			drainMs: 5000,
			...run,
		});
		client.go();
		const { columns } = await client.result;
		if (columns.status.some((status) => status !== 200)) throw new Error(`${name}: not every answer was 200`);
		return columns;
	} finally {
		await client.stop();
		await service.stop();
	}
}

/** S as the laboratory measures it, answers a second. */
async function closedLoopS(): Promise<number> {
	const { receivedNs } = await clientRun("none", { mode: "closed", connections: 16 });
	return (1e9 * receivedNs.length) / Math.max(...receivedNs);
}

/** Median latency from the scheduled arrival, µs. */
async function openLoopP50(name: string, ratePerSecond: number, seed: number): Promise<number> {
	const { receivedNs, scheduledNs } = await clientRun(name, {
		mode: "open",
		connections: 128,
		warmupRate: ratePerSecond,
		arrivalsNs: poissonArrivals({ ratePerSecond, seconds: 1, seed }),
	});
	return median(Array.from(receivedNs, (ns, index) => (ns - (scheduledNs[index] ?? 0)) / 1000));
}

const print = (line = "") => void process.stdout.write(`${line}\n`);
const turns = await closedLoop();
const figure = (name: string, pick: (turn: TurnResult) => number) => new Figure((turns.get(name) ?? []).map(pick));
const inRounds = (name: string, other: string, combine: (one: TurnResult, other: TurnResult) => number) =>
	new Figure((turns.get(name) ?? []).map((turn, round) => combine(turn, turns.get(other)?.[round] ?? turn)));

print(
	`closed loop, 16 connections, ${rounds} rounds, ${pin === undefined ? "not pinned" : `all on CPU ${pin}`}; median (range)`,
);
const WIDTHS = [20, 24, 20, 34, 14];
const row = (...cells: readonly string[]) =>
	print(
		cells
			.map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0))
			.join(" ")
			.trimEnd(),
	);
row("", "answers/s", "CPU µs an answer", "more than", "rows a batch", "client's CPU µs");
for (const { name, after } of VARIANTS) {
	const more =
		after === undefined
			? ""
			: `${inRounds(name, after, (one, other) => one.cpuUs - other.cpuUs).median.toFixed(1)} than ${after.replace("+ ", "")}`;
	row(
		name,
		figure(name, ({ perSecond }) => perSecond).text(0),
		figure(name, ({ cpuUs }) => cpuUs).text(1),
		more,
		figure(name, ({ meanBatch }) => meanBatch).median.toFixed(1),
		figure(name, ({ clientCpuUs }) => clientCpuUs).median.toFixed(1),
	);
}

// Not the bench's own closed loop: its sockets cost a third of what the client does, which shares the core.
const saturations: number[] = [];
for (let round = 0; round < 3; round++) saturations.push(await closedLoopS());
const saturation = median(saturations);
const p50Us: { none: number; b1w0: number }[] = [];
for (let round = 0; round < OPEN_ROUNDS; round++) {
	process.stderr.write(`half of S, round ${round + 1} of ${OPEN_ROUNDS}\n`);
	const none = await openLoopP50("none", saturation / 2, 1 + round);
	p50Us.push({ none, b1w0: await openLoopP50("b1w0", saturation / 2, 1 + round) });
}
print();
print(
	`open loop at half of S (${(saturation / 2).toFixed(0)}/s), µs: p50 of none ${new Figure(p50Us.map(({ none }) => none)).text(0)}, of b1w0 ${new Figure(p50Us.map(({ b1w0 }) => b1w0)).text(0)}`,
);

const perSecondRatio = (one: TurnResult, other: TurnResult) => one.perSecond / other.perSecond;
const machinery = inRounds("b1w0", "none", perSecondRatio);
const later = new Figure(p50Us.map(({ none, b1w0 }) => b1w0 - none));
const cost = inRounds("+ gbt = b32w0", "echo", (one, other) => one.cpuUs / other.cpuUs);
print(`b32w0 answers ${inRounds("+ gbt = b32w0", "none", perSecondRatio).text(2)} × S`);
const checks = [
	[`b1w0 answers ${machinery.text(2)} × S; at least 0.75`, machinery.median >= 0.75],
	[`p50 of b1w0 is ${later.text(0)} µs above none's at half of S; at most 100`, later.median <= 100],
	[`b32w0 uses ${cost.text(2)} × the echo's CPU an answer; at most 1.4`, cost.median <= 1.4],
] as const;
for (const [text, holds] of checks) print(`${holds ? "holds " : "MISSED"} ${text}`);
if (values.check && checks.some(([, holds]) => !holds)) process.exitCode = 1;
