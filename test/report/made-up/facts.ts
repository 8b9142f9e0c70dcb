import { seededRandom, shuffled } from "batching-lab/base";
import type { Environment, QuietFigures, RecordWriter } from "batching-lab/record";
import { MACHINES } from "./server.js";

export const QUIET: QuietFigures = {
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

export const ENVIRONMENT: Environment = {
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

export function addAlone(writer: RecordWriter, startId: number, model: string, round: number): void {
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

export function addBits(writer: RecordWriter, startId: number, model: string): void {
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
