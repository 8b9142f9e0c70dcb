/**
 * `npm run bench -- service [--check] [--rounds N]`: what the service costs, beside the same framework's echo.
 * Every variant runs once a round in a fresh process, in turn, so that a slow minute hits all of them; figures are
 * medians of per-round values, ratios and differences are taken inside a round. Service and client share one core.
 */
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findProject } from "batching-lab/base";
import { type ClientConfigure, poissonArrivals, startClient } from "batching-lab/client";
import { prepareAssets } from "batching-lab/model";
import { startService } from "batching-lab/service";
import { readRequests } from "batching-lab/shop";
import { median } from "batching-lab/stats";

const { values } = parseArgs({
	options: { check: { type: "boolean", default: false }, rounds: { type: "string", default: "5" } },
});
const rounds = Number(values.rounds);
const pin = process.platform === "linux" && cpus().length > 1 ? cpus().length - 1 : undefined;
const entryOf = (name: string) => fileURLToPath(new URL(`./_service-${name}.js`, import.meta.url));

interface Variant {
	readonly entry: "echo" | "variant";
	readonly model: string;
	readonly setting: string;
}
/** From the echo to the batched service, one thing more a step; then the two to compare. */
const VARIANTS = {
	echo: { entry: "echo", model: "handler", setting: "none" },
	"echo, deferred": { entry: "echo", model: "deferred", setting: "none" },
	"+ counting, hang-ups": { entry: "variant", model: "instant+storeless", setting: "nomodel-deferred" },
	"+ look-up in SQLite": { entry: "variant", model: "instant", setting: "nomodel-deferred" },
	"+ batcher": { entry: "variant", model: "instant", setting: "b32w0" },
	"+ gbt = b32w0": { entry: "variant", model: "gbt", setting: "b32w0" },
	none: { entry: "variant", model: "gbt", setting: "none" },
	b1w0: { entry: "variant", model: "gbt", setting: "b1w0" },
} as const satisfies Record<string, Variant>;
type Name = keyof typeof VARIANTS;
const NAMES: readonly Name[] = [
	"echo",
	"echo, deferred",
	"+ counting, hang-ups",
	"+ look-up in SQLite",
	"+ batcher",
	"+ gbt = b32w0",
	"none",
	"b1w0",
];

interface Measured {
	readonly perSecond: number;
	readonly cpuUs: number;
	readonly clientCpuUs: number;
	readonly meanBatch: number;
	readonly p50Us: number;
}

const assets = await prepareAssets(findProject().dataDir);
const bodies = readRequests(assets.requestsPath).map(({ body }) => body);

async function measure(name: Name, load: Partial<ClientConfigure>): Promise<Measured> {
	const { entry, ...config } = VARIANTS[name];
	const pinned = pin === undefined ? {} : { pin };
	const service = await startService(
		{ dataDir: assets.dataDir, port: 0, stamps: false, ...config },
		{ entry: entryOf(entry), ...pinned },
	);
	const client = await startClient(pinned);
	try {
		await client.configure({
			type: "configure",
			mode: "closed",
			url: `http://127.0.0.1:${service.port}/predict`,
			connections: 16,
			bodies,
			offset: 0,
			warmupMs: 700,
			warmupRate: 0,
			countMs: 1000,
			pacing: "timer",
			drainMs: 5000,
			...load,
		});
		service.count();
		client.go();
		const { columns, cpuUs: clientCpu, errors } = await client.result;
		const { answered, cpuUs, batches } = await service.report();
		if (Object.keys(errors).length > 0 || columns.status.some((status) => status !== 200))
			throw new Error(`${name}: not every answer was 200: ${JSON.stringify(errors)}`);
		const latencyUs = columns.receivedNs.map((ns, index) => (ns - (columns.scheduledNs[index] ?? 0)) / 1000);
		const spanNs = columns.receivedNs.reduce((last, ns) => Math.max(last, ns), 0) - (columns.sentNs[0] ?? 0);
		return {
			perSecond: (answered * 1e9) / spanNs,
			cpuUs: cpuUs / answered,
			clientCpuUs: clientCpu / answered,
			meanBatch:
				batches.size.length === 0 ? 1 : batches.size.reduce((sum, size) => sum + size, 0) / batches.size.length,
			p50Us: median([...latencyUs]),
		};
	} finally {
		await client.stop();
		await service.stop();
	}
}

/** One figure over the rounds: median and range. */
function overRounds(values: readonly number[]): { median: number; text: (digits: number) => string } {
	const middle = median([...values]);
	return {
		median: middle,
		text: (digits) =>
			`${middle.toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`,
	};
}

const runs = new Map<Name, Measured[]>(NAMES.map((name) => [name, []]));
for (let round = 0; round < rounds; round++) {
	for (const name of NAMES) {
		process.stderr.write(`round ${round + 1} of ${rounds}: ${name}\n`);
		runs.get(name)?.push(await measure(name, {}));
	}
}
const column = (name: Name, pick: (measured: Measured) => number): number[] => (runs.get(name) ?? []).map(pick);
const inRounds = (one: Name, other: Name, combine: (one: Measured, other: Measured) => number) =>
	overRounds((runs.get(one) ?? []).map((measured, round) => combine(measured, runs.get(other)?.[round] ?? measured)));

const print = (line = "") => void process.stdout.write(`${line}\n`);
print(
	`closed loop, 16 connections, ${rounds} rounds, ${pin === undefined ? "not pinned" : `all on CPU ${pin}`}; median (range)`,
);
print(
	`${"".padEnd(22)} ${"answers/s".padEnd(24)} ${"CPU µs an answer".padEnd(20)} ${"above".padEnd(20)} rows a batch  client µs`,
);
let before: Name = "echo";
for (const name of NAMES) {
	const isComparison = name === "none" || name === "b1w0";
	const above =
		name === "echo"
			? undefined
			: inRounds(name, isComparison ? "echo" : before, (one, other) => one.cpuUs - other.cpuUs);
	print(
		[
			name.padEnd(22),
			overRounds(column(name, ({ perSecond }) => perSecond))
				.text(0)
				.padEnd(24),
			overRounds(column(name, ({ cpuUs }) => cpuUs))
				.text(1)
				.padEnd(20),
			(above?.text(1) ?? "").padEnd(20),
			overRounds(column(name, ({ meanBatch }) => meanBatch))
				.median.toFixed(1)
				.padEnd(13),
			overRounds(column(name, ({ clientCpuUs }) => clientCpuUs)).median.toFixed(1),
		].join(" "),
	);
	before = name;
}

const saturation = overRounds(column("none", ({ perSecond }) => perSecond)).median;
const halfRate = saturation / 2;
const p50s: Record<"none" | "b1w0", number[]> = { none: [], b1w0: [] };
for (let round = 0; round < rounds; round++) {
	const arrivalsNs = poissonArrivals({ ratePerSecond: halfRate, seconds: 1, seed: 1 + round });
	for (const name of ["none", "b1w0"] as const) {
		process.stderr.write(`half of S, round ${round + 1} of ${rounds}: ${name}\n`);
		const { p50Us } = await measure(name, {
			mode: "open",
			connections: 64,
			arrivalsNs,
			warmupRate: halfRate,
			pacing: "precise",
		});
		p50s[name].push(p50Us);
	}
}
const later = overRounds(p50s.b1w0.map((us, round) => us - (p50s.none[round] ?? us)));
print();
print(
	`open loop at half of S (${halfRate.toFixed(0)}/s): p50 of none ${overRounds(p50s.none).text(0)} µs, of b1w0 ${overRounds(p50s.b1w0).text(0)} µs`,
);

const machinery = inRounds("b1w0", "none", (one, other) => one.perSecond / other.perSecond);
const gain = inRounds("+ gbt = b32w0", "none", (one, other) => one.perSecond / other.perSecond);
const cost = inRounds("+ gbt = b32w0", "echo", (one, other) => one.cpuUs / other.cpuUs);
const checks = [
	[`b1w0 answers ${machinery.text(2)} × S; at least 0.75`, machinery.median >= 0.75],
	[`p50 of b1w0 is ${later.text(0)} µs above none's at half of S; at most 100`, later.median <= 100],
	[`b32w0 uses ${cost.text(2)} × the echo's CPU an answer; at most 1.4`, cost.median <= 1.4],
] as const;
print(`b32w0 answers ${gain.text(2)} × S`);
for (const [text, holds] of checks) print(`${holds ? "holds " : "MISSED"} ${text}`);
if (values.check && checks.some(([, holds]) => !holds)) process.exitCode = 1;
