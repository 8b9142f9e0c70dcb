import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom, shuffled } from "batching-lab/base";
import {
	type BatchColumns,
	createRecord,
	type Environment,
	FLUSH_REASONS,
	type QuietFigures,
	type RecordWriter,
	type RunColumns,
	type RunResult,
	type RunRole,
	type StampColumns,
} from "batching-lab/record";
import { percentile, rates, sortSamples } from "batching-lab/stats";

/** A folder that goes away with the test. */
export function scratch(t: { after(action: () => void): void }): string {
	const folder = mkdtempSync(join(tmpdir(), "report-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** What a call of n rows takes: fixed + row × n, µs. */
export interface Machine {
	readonly fixedUs: number;
	readonly rowUs: number;
}

/** `ft` needs a bus, `gbt` hardly: S of about 3,300 and 9,000 answers a second with the rest of a request at 100 µs. */
export const MACHINES: Readonly<Record<string, Machine>> = {
	gbt: { fixedUs: 10, rowUs: 1.8 },
	ft: { fixedUs: 190, rowUs: 10 },
};
const REST_US = 100;
const REQUESTS = 500;

export interface LabOptions {
	readonly models?: readonly string[];
	readonly settings?: readonly string[];
	readonly rateMultiples?: readonly number[];
	readonly rounds?: number;
	readonly seconds?: number;
	readonly seed?: number;
	/** Answers of `ft` whose bits are not the single-row score's. */
	readonly differing?: number;
	/** Called before the first timed run. */
	readonly before?: (writer: RecordWriter) => void;
}

const QUIET: QuietFigures = {
	quiet: true,
	idleShare: 0.998,
	requiredIdleShare: 0.95,
	lookMs: 500,
	waitedMs: 500,
	source: "proc",
	loadBefore: 0.1,
	loadAfter: 0.4,
	frequencyMhz: "not available",
	contextSwitches: 1234,
	logIns: 1,
	journal: { cron: 2 },
};

const ENVIRONMENT: Environment = {
	host: "here",
	platform: "linux",
	arch: "x64",
	kernel: "6.1",
	cpu: "A processor",
	cores: 2,
	memoryBytes: 2 ** 31,
	frequencyMhz: "not available",
	governor: "not available",
	hypervisor: true,
	node: "20.20.2",
	onnxruntime: "1.27.0",
	engine: "onnxruntime-node, public API",
	sqlite: "3.50",
	threads: 1,
	stealShare: 0,
	loadAverage: [0.1, 0.1, 0.1],
	logIns: [],
	timers: "not available",
	cronJobs: "not available",
	gitCommit: "not available",
	lockFileHash: "not available",
	topology: "one core for client and service",
	servicePin: "1",
	clientPin: "1",
};

interface Dials {
	readonly cap: number;
	readonly waitNs: number;
	readonly batched: boolean;
}

function dialsOf(setting: string): Dials {
	const found = /^b(\d+)w([\d.]+)$/.exec(setting);
	return found === null
		? { cap: 1, waitNs: 0, batched: false }
		: { cap: Number(found[1]), waitNs: Number(found[2]) * 1e6, batched: true };
}

interface Served {
	readonly receivedNs: Float64Array;
	readonly batchOf: Uint32Array;
	readonly batches: BatchColumns;
}

/** One server: takes what waits (at most B, after W), one batch at a time. Without a batcher a batch is one request. */
function serve(scheduledNs: Float64Array, machine: Machine, { cap, waitNs, batched }: Dials): Served {
	const count = scheduledNs.length;
	const receivedNs = new Float64Array(count);
	const batchOf = new Uint32Array(count);
	const found: { size: number; reason: (typeof FLUSH_REASONS)[number]; first: number; wait: number; model: number }[] =
		[];
	let free = 0;
	for (let head = 0; head < count; ) {
		const first = Math.round(scheduledNs[head] ?? 0) + 20_000;
		const full = scheduledNs[head + cap - 1];
		const due = full === undefined ? first + waitNs : Math.min(first + waitNs, full + 20_000);
		const leaves = Math.round(Math.max(free, due));
		let size = 1;
		while (size < cap && head + size < count && (scheduledNs[head + size] ?? 0) + 20_000 <= leaves) size++;
		const model = Math.round((machine.fixedUs + machine.rowUs * size) * 1000);
		free = leaves + model + Math.round(REST_US * 1000 * size * (batched && size > 1 ? 0.7 : 1));
		for (let row = head; row < head + size; row++) {
			receivedNs[row] = free;
			batchOf[row] = found.length + 1;
		}
		const reason = size === cap ? "full" : waitNs > 0 ? "timer" : "idle";
		found.push({ size, reason, first, wait: leaves - first, model });
		head += size;
	}
	const kept = batched ? found : [];
	return {
		receivedNs,
		batchOf,
		batches: {
			batchId: Uint32Array.from(kept, (_, i) => i + 1),
			size: Uint16Array.from(kept, ({ size }) => size),
			reason: Uint8Array.from(kept, ({ reason }) => FLUSH_REASONS.indexOf(reason)),
			firstSubmitNs: Float64Array.from(kept, ({ first }) => first),
			waitNs: Float64Array.from(kept, ({ wait }) => wait),
			modelNs: Float64Array.from(kept, ({ model }) => model),
		},
	};
}

function poisson(perSecond: number, seconds: number, random: () => number): Float64Array {
	const times: number[] = [];
	for (let at = 0; ; ) {
		at += (-Math.log(1 - random()) / perSecond) * 1e9;
		if (at >= seconds * 1e9) return Float64Array.from(times);
		times.push(Math.round(at));
	}
}

export interface RunSketch {
	readonly kind: "open" | "closed";
	readonly model: string;
	readonly setting: string;
	readonly role: RunRole;
	readonly round: number;
	readonly rateMultiple: number | null;
}

/** The columns of one run, and the figures a lab writes beside them. */
export function makeRun(
	run: RunSketch,
	{ perSecond, seconds, seed, differing = 0 }: { perSecond: number; seconds: number; seed: number; differing?: number },
): { readonly columns: RunColumns; readonly result: RunResult } {
	const random = seededRandom(seed);
	const machine = MACHINES[run.model] ?? { fixedUs: 10, rowUs: 2 };
	const dials = dialsOf(run.setting);
	const scheduledNs = poisson(perSecond, seconds, random);
	const { receivedNs, batchOf, batches } = serve(
		scheduledNs,
		run.setting.startsWith("nomodel") ? { fixedUs: 0, rowUs: 0 } : machine,
		dials,
	);
	// A little of the machine's own scatter, which differs by setting and not by arrivals.
	const noise = seededRandom(seed * 31 + run.setting.length * 7 + (run.role === "aa" ? 3 : 0));
	const level = 1 + 0.02 * (noise() - 0.5);
	receivedNs.forEach((at, i) => {
		const due = scheduledNs[i] ?? 0;
		receivedNs[i] = Math.round(due + (at - due) * level);
	});
	const count = scheduledNs.length;
	const size = (i: number) =>
		dials.batched ? (batches.size[(batchOf[i] ?? 1) - 1] ?? 0) : run.setting === "none" ? 1 : 0;
	const bodyIndex = Uint32Array.from({ length: count }, (_, i) => (seed + i) % REQUESTS);
	const scoreBits = Uint32Array.from(bodyIndex, (body, i) => 0x3e000000 + body * 1000 + (i < differing ? 1 : 0));
	const requests = {
		scheduledNs,
		sentNs: scheduledNs.map((at) => at + 15_000),
		receivedNs,
		status: new Uint16Array(count).fill(200),
		outcome: new Uint8Array(count),
		scoreBits,
		batchId: dials.batched ? batchOf : new Uint32Array(count),
		batchSize: Uint16Array.from({ length: count }, (_, i) => size(i)),
		bodyIndex,
	};
	const stamps: StampColumns = {
		handlerStartNs: scheduledNs.map((at) => at + 18_000),
		rowReadyNs: scheduledNs.map((at) => at + 38_000),
		scoreBackNs: receivedNs.map((at) => at - 40_000),
		replyWrittenNs: receivedNs.map((at) => at - 25_000),
	};
	const columns: RunColumns = { requests, batches, ...(run.round === 1 && run.kind === "open" ? { stamps } : {}) };
	const latencies = sortSamples(receivedNs.map((at, i) => at - (scheduledNs[i] ?? 0)));
	const ms = (percent: number) => {
		const ns = percentile(latencies, percent);
		return ns === null ? null : ns / 1e6;
	};
	const { answeredPerSecond, keepsUp } = rates({ scheduledNs, receivedNs, horizonNs: seconds * 1e9 });
	const rows = batches.size.reduce((sum, value) => sum + value, 0);
	const canary = 1e7 * (1 + 0.01 * noise());
	const result: RunResult = {
		epochNs: 12_345_678_901_234_567_890n,
		quiet: QUIET,
		canary: { beforeNs: canary, afterNs: canary * 1.01, drift: 0.01, drifted: false },
		stealShare: 0,
		verdict: "VALID",
		reasons: [],
		counts: { scheduled: count, answered: count, failed: 0, timedOut: 0, unsent: 0 },
		differing: Math.min(differing, count),
		maxUlp: differing > 0 && count > 0 ? 1 : 0,
		serviceCpuUs: count * (machine.fixedUs + machine.rowUs + REST_US),
		clientCpuUs: count * 35,
		serviceRssBytes: 9e7,
		clientRssBytes: 8e7,
		servicePid: 11,
		clientPid: 12,
		summary: {
			answeredPerSecond,
			keepsUp: run.kind === "open" ? keepsUp : null,
			p50Ms: ms(50),
			p99Ms: ms(99),
			meanBatch: batches.size.length === 0 ? null : rows / batches.size.length,
		},
		errors: {},
		timingMs: { quiet: 500, count: seconds * 1000 },
	};
	return { columns, result };
}

/** What the made-up service answers at most, a second. */
export function saturationOf(model: string): number {
	const { fixedUs, rowUs } = MACHINES[model] ?? { fixedUs: 10, rowUs: 2 };
	return 1e6 / (fixedUs + rowUs + REST_US);
}

function addAlone(writer: RecordWriter, startId: number, model: string, round: number): void {
	const { fixedUs, rowUs } = MACHINES[model] ?? { fixedUs: 10, rowUs: 2 };
	const random = seededRandom(round * 101 + model.length);
	const sizes = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].map((size) => {
		const p50Ns = (fixedUs + rowUs * size) * 1000 * (1 + 0.02 * random());
		return {
			size,
			calls: 200,
			minNs: p50Ns * 0.9,
			p25Ns: p50Ns * 0.95,
			p50Ns,
			p75Ns: p50Ns * 1.1,
			p99Ns: p50Ns * 2,
			meanNs: p50Ns * 1.05,
		};
	});
	const order = shuffled(
		sizes.map(({ size }) => size),
		random,
	);
	writer.addModelAlone({
		startId,
		model,
		round,
		pid: 100 + round,
		order,
		budgetMs: 60,
		quiet: QUIET,
		canaryBeforeNs: 1e7,
		canaryAfterNs: 1e7,
		sizes,
	});
}

function addBits(writer: RecordWriter, startId: number, model: string): void {
	const identical = model === "gbt";
	const sizes = [2, 8, 32, 1024].map((size) => ({
		size,
		differingRows: identical ? 0 : 100 + size,
		maxUlp: identical ? 0 : 2,
		maxAbs: identical ? 0 : 1.2e-7,
	}));
	writer.addBitCheck({
		startId,
		model,
		modelSha256: `hash of ${model}`,
		threads: 1,
		rows: 4000,
		distinctScores: 3900,
		identical,
		sizes,
	});
}

function write(writer: RecordWriter, startId: number, sketch: RunSketch, position: number, options: LabOptions): void {
	const { seconds = 0.3, seed = 1 } = options;
	const s = saturationOf(sketch.model);
	const perSecond = sketch.rateMultiple === null ? s : s * sketch.rateMultiple;
	// The same arrivals for every setting of a round and rate.
	const arrivals =
		seed * 7919 + sketch.round * 131 + Math.round((sketch.rateMultiple ?? 9) * 100) + sketch.model.length;
	const { id } = writer.beginRun({
		...sketch,
		startId,
		position,
		ratePerSecond: sketch.rateMultiple === null ? null : perSecond,
		saturationPerSecond: sketch.rateMultiple === null ? null : s,
		seed: arrivals,
		seconds,
		connections: 512,
		topology: "shared",
		servicePin: "1",
		clientPin: "1",
	});
	const compared = sketch.model === "ft" && !sketch.setting.startsWith("nomodel");
	const differing = compared ? (options.differing ?? 0) : 0;
	const { columns, result } = makeRun(sketch, { perSecond, seconds, seed: arrivals, differing });
	writer.finishRun(id, result, columns);
}

/** A whole record of a made-up lab in a folder of its own; every number in it is worked out, none is timed. */
export function makeLab(folder: string, options: LabOptions = {}): string {
	const {
		models = ["gbt", "ft"],
		settings = ["none", "b32w0", "b32w2"],
		rateMultiples = [0.5, 1.6],
		rounds = 5,
	} = options;
	mkdirSync(folder, { recursive: true });
	const writer = createRecord(join(folder, "lab.sqlite"));
	const startId = writer.addStart({
		pid: 1,
		host: "here",
		boot: "b",
		purpose: "sweep test",
		codeHash: "c0de",
		modelHashes: {},
	});
	writer.addDesign("lab", { profile: { name: "test", rounds, models: [...models] } });
	options.before?.(writer);
	writer.addEnvironment(startId, ENVIRONMENT);
	for (const model of models) {
		writer.putModel({
			name: model,
			sha256: `hash of ${model}`,
			averagePrecision: model === "gbt" ? 0.5481 : null,
			facts: {},
		});
		writer.putSingleScores(
			model,
			`hash of ${model}`,
			Uint32Array.from({ length: REQUESTS }, (_, body) => 0x3e000000 + body * 1000),
		);
		for (let round = 1; round <= rounds; round++) addAlone(writer, startId, model, round);
		addBits(writer, startId, model);
	}
	let position = 0;
	for (let round = 1; round <= rounds; round++) {
		for (const model of models) {
			for (const setting of ["none", "b32w0", "nomodel", "nomodel-deferred"]) {
				const role = setting.startsWith("nomodel") ? "control" : "setting";
				write(
					writer,
					startId,
					{ kind: "closed", model, setting, role, round, rateMultiple: null },
					++position,
					options,
				);
			}
			for (const rateMultiple of rateMultiples) {
				for (const setting of settings) {
					write(
						writer,
						startId,
						{ kind: "open", model, setting, role: "setting", round, rateMultiple },
						++position,
						options,
					);
				}
				write(
					writer,
					startId,
					{ kind: "open", model, setting: "none", role: "aa", round, rateMultiple },
					++position,
					options,
				);
			}
		}
	}
	writer.endStart(startId, "finished");
	writer.close();
	return folder;
}
