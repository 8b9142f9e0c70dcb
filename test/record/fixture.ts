import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NewRun, QuietFigures, RunColumns, RunResult, StartRow } from "batching-lab/record";

/** A folder that goes away with the test. */
export function scratch(t: { after(action: () => void): void }): string {
	const folder = mkdtempSync(join(tmpdir(), "record-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

export const START: Omit<StartRow, "id" | "at" | "endedAt" | "ended"> = {
	pid: 4242,
	host: "here",
	boot: "boot-1",
	purpose: "sweep quick",
	codeHash: "c0de",
	modelHashes: { gbt: "9b7" },
};

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

export function newRun(startId: number, changes: Partial<NewRun> = {}): NewRun {
	return {
		startId,
		kind: "open",
		model: "gbt",
		setting: "b32w2",
		role: "setting",
		round: 1,
		position: 1,
		rateMultiple: 1.6,
		ratePerSecond: 1757,
		saturationPerSecond: 1098.4,
		seed: 7,
		seconds: 1,
		connections: 512,
		topology: "shared",
		servicePin: "1",
		clientPin: "1",
		...changes,
	};
}

export function result(changes: Partial<RunResult> = {}): RunResult {
	return {
		epochNs: 12_345_678_901_234_567_890n,
		quiet: QUIET,
		canary: { beforeNs: 1e7, afterNs: 1.02e7, drift: 0.02, drifted: false },
		stealShare: 0,
		verdict: "VALID",
		reasons: [],
		counts: { scheduled: 4, answered: 2, failed: 1, timedOut: 0, unsent: 1 },
		differing: 0,
		maxUlp: 0,
		serviceCpuUs: 900_000,
		clientCpuUs: 400_000,
		serviceRssBytes: 9e7,
		clientRssBytes: 8e7,
		servicePid: 11,
		clientPid: 12,
		summary: { answeredPerSecond: 2, keepsUp: false, p99Ms: null },
		errors: { "socket closed": 1 },
		timingMs: { quiet: 500, count: 1000 },
		...changes,
	};
}

export const COLUMNS: RunColumns = {
	requests: {
		scheduledNs: Float64Array.of(0, 1_000_000, 1_000_001, 2_000_000_000),
		sentNs: Float64Array.of(12, 1_000_400, 1_000_500, Number.NaN),
		receivedNs: Float64Array.of(2_000_000, 3_000_000, Number.NaN, Number.NaN),
		status: Uint16Array.of(200, 200, 503, 0),
		outcome: Uint8Array.of(0, 0, 1, 3),
		scoreBits: Uint32Array.of(0x3e4ccccd, 0xffffffff, 0, 0),
		batchId: Uint32Array.of(1, 1, 0, 0),
		batchSize: Uint16Array.of(2, 2, 0, 0),
		bodyIndex: Uint32Array.of(26_850, 0, 1, 2),
	},
	batches: {
		batchId: Uint32Array.of(1),
		size: Uint16Array.of(2),
		reason: Uint8Array.of(1),
		firstSubmitNs: Float64Array.of(150_000),
		waitNs: Float64Array.of(1_100_000),
		modelNs: Float64Array.of(66_000),
	},
};
