import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRun, profileNamed, warmupSecondsOf, withValues } from "batching-lab/lab";
import { createRecord, type RecordReader } from "batching-lab/record";

/**
 * What the laboratory itself costs: wall time beside what no schedule could save, bytes of a full run, memory over its
 * runs. `--models gbt,ft`, `--rounds N`: the schedule of profile `quick` that is timed.
 * `--idle 0` asks for no quiet machine.
 */
const LIMITS = { wallShare: 1.25, recordBytes: 1e9, memoryGrowthBytes: 50e6 };

/** The full run: 605 runs of 8 s at 10,000 requests a second. */
const FULL = { runs: 605, requests: 80_000 };

function argument(name: string, otherwise: string): string {
	const at = process.argv.indexOf(`--${name}`);
	return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise);
}

const folder = mkdtempSync(join(tmpdir(), "bench-lab-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
process.env.BATCHING_LAB_OUTPUTS = join(folder, "outputs");
const misses: string[] = [];
function report(what: string, value: number, limit: number, text: string): void {
	process.stdout.write(`${what}: ${text} (at most ${limit})\n`);
	if (!(value <= limit)) misses.push(what);
}

/** Wall time of the schedule over the arrival, quiet, warm-up and drain seconds of its runs. */
async function timeSchedule(): Promise<RecordReader> {
	const profile = withValues(profileNamed("quick"), {
		name: "bench",
		models: argument("models", "gbt").split(","),
		rounds: Number(argument("rounds", "1")),
		rerunShare: 0,
		quietIdleShare: Number(argument("idle", "0.95")),
	});
	const run = await openRun({ profile, fresh: true });
	for (const model of run.profile.models) await run.bitCheck(model);
	const rss: number[] = [];
	const onProgress = ({ text, stays }: { text: string; stays?: boolean }) => {
		if (stays !== true) return;
		rss.push(process.memoryUsage.rss());
		process.stderr.write(`${text}\n`);
	};
	const began = performance.now();
	await run.sweep({ onProgress });
	const wallSeconds = (performance.now() - began) / 1000;
	const runs = run.record.finishedRuns();
	const sum = (...names: readonly string[]) =>
		runs.reduce((total, { timingMs }) => total + names.reduce((own, name) => own + (timingMs[name] ?? 0), 0), 0) / 1000;
	// what a warm-up or a quiet look took beyond its planned length is the laboratory's own
	const planned = runs.reduce((total, { kind }) => total + profile.quietSeconds + warmupSecondsOf(profile, kind), 0);
	const needed = planned + sum("count", "drain");
	const parts = ["quiet", "warmup", "loading", "count", "drain", "canary", "prepare", "start"].map(
		(name) => `${name} ${((1000 * sum(name)) / runs.length).toFixed(0)}`,
	);
	process.stdout.write(`${runs.length} runs; ms a run: ${parts.join(", ")}\n`);
	const share = wallSeconds / needed;
	report(
		"wall time ÷ (arrivals + quiet + warm-up + drain)",
		share,
		LIMITS.wallShare,
		`${share.toFixed(3)}, ${wallSeconds.toFixed(1)} s ÷ ${needed.toFixed(1)} s`,
	);
	const growth = (rss.at(-1) ?? 0) - (rss[Math.min(4, rss.length - 1)] ?? 0);
	report(
		"memory growth after the fourth run",
		growth / 1e6,
		LIMITS.memoryGrowthBytes / 1e6,
		`${(growth / 1e6).toFixed(1)} MB`,
	);
	return run.record;
}

/** Bytes that the record keeps for a request of an open run; stage stamps are kept in one round of five. */
function bytesPerRequest(record: RecordReader): number {
	const total = (sql: string) => Number(record.query(sql)[0]?.n ?? 0);
	const family = (name: string) =>
		total(`SELECT sum(length(data)) AS n FROM run_column JOIN run ON run.id = run_id
			WHERE kind = 'open' AND run_column.family = '${name}'`) /
		total(`SELECT sum(scheduled) AS n FROM run WHERE kind = 'open'
			AND id IN (SELECT run_id FROM run_column WHERE family = '${name}')`);
	const arrivals =
		total("SELECT sum(length(data)) AS n FROM arrivals") /
		total("SELECT sum(scheduled) AS n FROM run WHERE kind = 'open'");
	process.stdout.write(
		`bytes a request: stamps of the client ${family("request").toFixed(1)}, batches ${family("batch").toFixed(1)}, stages ${family("stamp").toFixed(1)}, arrivals ${arrivals.toFixed(1)}\n`,
	);
	return family("request") + family("batch") + family("stamp") / 5 + arrivals;
}

/** Writes one measured run again and again: what a long schedule does to the memory of the process that keeps its record. */
function writeManyRuns(record: RecordReader): void {
	const [like] = record.finishedRuns({ kind: "open" }).sort((a, b) => b.counts.scheduled - a.counts.scheduled);
	if (like === undefined) throw new Error("the schedule left no open run");
	const columns = { requests: record.requests(like.id), batches: record.batches(like.id) };
	const writer = createRecord(join(folder, "many.sqlite"));
	const startId = writer.addStart({ pid: 1, host: "", boot: "", purpose: "bench", codeHash: "", modelHashes: {} });
	const rss: number[] = [];
	const began = performance.now();
	for (let round = 1; round <= FULL.runs; round++) {
		const { id } = writer.beginRun({ ...like, startId, round });
		writer.finishRun(id, like, columns);
		if (round % 50 === 0) rss.push(process.memoryUsage.rss());
	}
	const ms = (performance.now() - began) / FULL.runs;
	writer.close();
	const bytes = statSync(join(folder, "many.sqlite")).size;
	const requests = like.counts.scheduled;
	process.stdout.write(
		`${FULL.runs} runs of ${requests} requests written, ${ms.toFixed(1)} ms and ${(bytes / FULL.runs / 1000).toFixed(0)} KB a run\n`,
	);
	const growth = (rss.at(-1) ?? 0) - (rss[1] ?? 0);
	report("memory growth over 605 records, MB", growth / 1e6, LIMITS.memoryGrowthBytes / 1e6, (growth / 1e6).toFixed(1));
}

const record = await timeSchedule();
const perRequest = bytesPerRequest(record);
const full = perRequest * FULL.runs * FULL.requests;
report(
	"full run at 10,000/s, MB",
	full / 1e6,
	LIMITS.recordBytes / 1e6,
	`${(full / 1e6).toFixed(0)}, ${perRequest.toFixed(1)} bytes a request`,
);
writeManyRuns(record);
if (process.argv.includes("--check") && misses.length > 0) {
	process.stderr.write(`missed: ${misses.join("; ")}\n`);
	process.exitCode = 1;
}
