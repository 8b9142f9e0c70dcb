import { CodedError, deriveSeed, seededRandom, shuffled } from "../base/index.js";
import { type EnvironmentRow, type FinishedRun, type RecordReader, slotOf } from "../record/index.js";
import { parseSetting } from "../service/index.js";
import { median } from "../stats/index.js";
import { saturationSettingsOf } from "./design.js";
import type { Profile } from "./profiles.js";
import type { RunSpec } from "./run/spec.js";
import { makeRuns, plannedSecondsOf, Tally } from "./schedule.js";
import { modelOf, type Session } from "./session/session.js";

/** What one setting answers at most. */
export interface SettingSaturation {
	/** Median of the rounds; of `none` it is S. */
	readonly answersPerSecond: number;
	readonly min: number;
	readonly max: number;
	/** In the order of the rounds. */
	readonly rounds: readonly number[];
	/** Rows a model call, all rounds together; null without a batcher. */
	readonly meanBatch: number | null;
	/** CPU of each process for one answer, µs, median of the rounds. The client shares the core, so it moves S. */
	readonly cpuUsPerAnswer: { readonly service: number; readonly client: number };
	/** Answers whose score was not the single-row score, bit for bit. */
	readonly differingAnswers: number;
	/** Rounds in which a request found no answer, or a wrong one, and why; they are among the figures all the same. */
	readonly invalidRounds: readonly { readonly round: number; readonly reasons: readonly string[] }[];
}

export interface Saturation {
	readonly model: string;
	readonly connections: number;
	readonly settings: Readonly<Record<string, SettingSaturation>>;
	readonly environment: EnvironmentRow | null;
}

/** Answers a second of a finished run. @throws {CodedError} `NO_SATURATION` when it answered nothing. */
export function answersPerSecond(run: FinishedRun): number {
	const value = run.summary.answeredPerSecond;
	if (typeof value === "number" && value > 0) return value;
	throw new CodedError("NO_SATURATION", `run ${run.id} (${run.slot}) answered nothing, so there is no S to follow`, {
		exitCode: 1,
	});
}

/** A closed-loop run. */
export function closedSpec(
	profile: Profile,
	run: Pick<RunSpec, "model" | "setting" | "role" | "round" | "position">,
): RunSpec {
	return {
		...run,
		kind: "closed",
		rateMultiple: null,
		ratePerSecond: null,
		saturationPerSecond: null,
		// the same requests for every setting of a round
		seed: deriveSeed(profile.seed, "closed", run.model, run.round),
		stamps: run.round === profile.stampsRound,
	};
}

function roleOf(setting: string): "setting" | "control" {
	return parseSetting(setting).kind.startsWith("nomodel") ? "control" : "setting";
}

/**
 * The closed-loop runs of `models` × `settings`, interleaved: each round takes all of them in a shuffled order.
 *
 * @param settings absent: what the profile has for each model
 */
export function planSaturation(profile: Profile, models: readonly string[], settings?: readonly string[]): RunSpec[] {
	return Array.from({ length: profile.saturationRounds }, (_, index) => {
		const round = index + 1;
		const entries = models.flatMap((model) =>
			(settings ?? saturationSettingsOf(profile, model)).map((setting) => ({ model, setting, role: roleOf(setting) })),
		);
		const random = seededRandom(deriveSeed(profile.seed, "closed order", round));
		return shuffled(entries, random).map((entry, place) =>
			closedSpec(profile, { ...entry, round, position: place + 1 }),
		);
	}).flat();
}

/** The runs of a plan that the record does not hold yet. */
export function missingRuns(
	record: RecordReader,
	specs: readonly RunSpec[],
	nameOf: (model: string) => string,
): RunSpec[] {
	const finished = new Set(record.finishedRuns().map((run) => run.slot));
	return specs.filter((spec) => !finished.has(slotOf({ ...spec, model: nameOf(spec.model) })));
}

/** Makes the closed-loop runs that the record lacks. Gives how many it made. */
export async function measureSaturation(session: Session, specs: readonly RunSpec[]): Promise<number> {
	const missing = missingRuns(session.record, specs, (model) => modelOf(session, model).name);
	const left = missing.length * plannedSecondsOf(session, "closed");
	const tally = new Tally(specs.length, specs.length - missing.length, left);
	return (await makeRuns(session, missing, tally)).length;
}

/**
 * What a record says about the saturation of one model. Null when it holds no closed-loop run of it.
 *
 * @param settings which settings; absent: all that were measured
 */
export function summariseSaturation(
	record: RecordReader,
	model: string,
	settings?: readonly string[],
): Saturation | null {
	const runs = record
		.finishedRuns({ kind: "closed", model })
		.filter((run) => run.role !== "pace" && (settings === undefined || settings.includes(run.setting)));
	const [first] = runs;
	if (first === undefined) return null;
	const names = settings ?? [...new Set(runs.map((run) => run.setting))];
	const entries = names.flatMap((setting): [string, SettingSaturation][] => {
		const own = runs.filter((run) => run.setting === setting).sort((a, b) => a.round - b.round);
		return own.length === 0 ? [] : [[setting, summariseSetting(record, own)]];
	});
	return {
		model,
		connections: first.connections,
		settings: Object.fromEntries(entries),
		environment: record.environments().find(({ startId }) => startId === first.startId) ?? null,
	};
}

function summariseSetting(record: RecordReader, runs: readonly FinishedRun[]): SettingSaturation {
	const rounds = runs.map(answersPerSecond);
	let [rows, batches] = [0, 0];
	for (const run of runs) {
		const { size } = record.batches(run.id);
		batches += size.length;
		for (const rowsOfBatch of size) rows += rowsOfBatch;
	}
	const perAnswer = (cpuUs: (run: FinishedRun) => number) =>
		median(runs.map((run) => cpuUs(run) / Math.max(1, run.counts.answered)));
	return {
		answersPerSecond: median(rounds),
		min: Math.min(...rounds),
		max: Math.max(...rounds),
		rounds,
		meanBatch: batches === 0 ? null : rows / batches,
		cpuUsPerAnswer: { service: perAnswer((run) => run.serviceCpuUs), client: perAnswer((run) => run.clientCpuUs) },
		differingAnswers: runs.reduce((sum, run) => sum + run.differing, 0),
		invalidRounds: runs.flatMap(({ verdict, round, reasons }) => (verdict === "INVALID" ? [{ round, reasons }] : [])),
	};
}
