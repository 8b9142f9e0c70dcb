import { setTimeout as sleep } from "node:timers/promises";
import { CodedError, hasCode } from "../base/index.js";
import type { FinishedRun } from "../record/index.js";
import { runLine, specText } from "./describe.js";
import { measure, save } from "./run/measure.js";
import type { Measured } from "./run/measured.js";
import { type Pair, PairQueue, stopPair } from "./run/pair.js";
import type { RunSpec } from "./run/spec.js";
import { prepareScores } from "./run/traffic.js";
import { modelOf, type Session } from "./session/session.js";
import { warmupSecondsOf } from "./warm-up.js";

/** How long the system may take to tell that a process has ended. */
const DEATH_NOTICE_MS = 500;

/** Seconds of a run that no lab could save. */
export function plannedSecondsOf({ profile }: Session, kind: RunSpec["kind"]): number {
	const counted = kind === "open" ? profile.arrivalSeconds : profile.closedSeconds;
	return profile.quietSeconds + warmupSecondsOf(profile, kind) + counted;
}

/** How far a schedule is, over all its parts, and how long the rest will take. */
export class Tally {
	/** Runs of the whole schedule, those of an earlier start included. */
	readonly total: number;
	#done: number;
	#leftSeconds: number;
	#planned = 0;
	#spent = 0;

	constructor(total: number, done: number, leftSeconds: number) {
		this.total = total;
		this.#done = done;
		this.#leftSeconds = leftSeconds;
	}

	get done(): number {
		return this.#done;
	}

	/** Planned seconds still ahead, stretched by what the runs of this start really took. */
	get leftSeconds(): number {
		return this.#planned === 0 ? this.#leftSeconds : (this.#leftSeconds * this.#spent) / this.#planned;
	}

	/** Counts one run that was made. A run made again is none of the schedule's. */
	count(plannedSeconds: number, spentSeconds: number, again: boolean): void {
		this.#planned += plannedSeconds;
		this.#spent += spentSeconds;
		if (again) return;
		this.#done++;
		this.#leftSeconds = Math.max(0, this.#leftSeconds - plannedSeconds);
	}
}

/** Makes the run visible as begun, measures it, and says in the record what became of it if that fails. */
async function measureOrFail(
	session: Session,
	spec: RunSpec,
	pair: Pair,
	whileWarming: () => Promise<void>,
): Promise<Measured> {
	const { record, startId, profile, placement, signal } = session;
	const open = spec.kind === "open";
	const { model: source, stamps: _, ...identity } = spec;
	const { id } = record.beginRun({
		...identity,
		startId,
		model: modelOf(session, source).name,
		seconds: open ? profile.arrivalSeconds : profile.closedSeconds,
		connections: open ? profile.connections : profile.closedConnections,
		topology: placement.topology,
		servicePin: placement.servicePin,
		clientPin: placement.clientPin,
	});
	try {
		return await measure(session, id, spec, pair, whileWarming);
	} catch (caught) {
		const error = signal.aborted ? caught : await causeOf(caught, pair);
		await stopPair(pair).catch(() => {});
		const reason = error instanceof Error ? error.message : String(error);
		record.failRun(id, signal.aborted ? "interrupted" : "failed", [reason]);
		throw error;
	}
}

/** A client whose service is gone says that nobody answers; what has to be said is that the service is gone. */
async function causeOf(error: unknown, { service }: Pair): Promise<unknown> {
	if (hasCode(error) && error.code === "SERVICE_DIED") return error;
	const ended = await Promise.race([service.exited, sleep(DEATH_NOTICE_MS, undefined, { ref: false })]);
	if (ended === undefined) return error;
	return new CodedError("SERVICE_DIED", `the service process ended (${ended}) in the middle of a run`, {
		cause: error,
		exitCode: 1,
		hint: "the finished runs are safe; --resume goes on",
	});
}

/**
 * Makes runs one after the other. Between two of them, when nothing is timed, the last run's processes end while its
 * columns go to disk; the next run looks for quiet only when that is over.
 *
 * @param again the runs are repetitions after a drift
 * @throws {CodedError} what a process died of: its run is in the record as `failed`, and those before it are safe.
 */
export async function makeRuns(
	session: Session,
	specs: readonly RunSpec[],
	tally: Tally,
	again = false,
): Promise<FinishedRun[]> {
	const { progress, signal } = session;
	const runs: FinishedRun[] = [];
	const pairs = new PairQueue(session);
	await prepareScores(session, specs);
	try {
		for (const [index, spec] of specs.entries()) {
			signal.throwIfAborted();
			const began = performance.now();
			const following = specs[index + 1];
			const count = again ? `${index + 1}/${specs.length} again,` : `${tally.done + 1}/${tally.total}`;
			progress.remark({ done: tally.done, total: tally.total, text: `RUN ${count} ${specText(spec)}` });
			const pair = await pairs.take(spec);
			const measured = await measureOrFail(session, spec, pair, () => pairs.loadBeside(following));
			const [run] = await Promise.all([save(session, spec, measured), stopPair(pair), pairs.loadBetween(following)]);
			runs.push(run);
			tally.count(plannedSecondsOf(session, spec.kind), (performance.now() - began) / 1000, again);
			const text = runLine(count, spec, run, tally.leftSeconds);
			progress.line({ done: tally.done, total: tally.total, text });
		}
		return runs;
	} finally {
		await pairs.drop();
	}
}
