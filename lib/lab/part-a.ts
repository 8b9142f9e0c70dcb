import { deriveSeed, seededRandom, shuffled } from "../base/index.js";
import { startAlone } from "../model/index.js";
import type { BitCheckRow, ModelAloneRow } from "../record/index.js";
import { waitForQuiet } from "./machine/quiet.js";
import { quietFigures, watchUsage } from "./run/usage.js";
import { checkBits } from "./scores/process.js";
import { modelOf, type Session } from "./session/session.js";

/** One round of Part A: a fresh process, loaded and warm, looks for quiet and then times every size. */
async function timeRound(session: Session, source: string, round: number): Promise<void> {
	const { record, startId, profile, placement, canary, assets, signal, progress, journal } = session;
	const { name } = modelOf(session, source);
	const order = shuffled(profile.aloneSizes, seededRandom(deriveSeed(profile.seed, "alone order", name, round)));
	const total = profile.aloneRounds * order.length;
	const text = `timing ${name} alone, round ${round} of ${profile.aloneRounds}`;
	let taken = (round - 1) * order.length;
	progress.remark({ done: taken, total, text });
	const config = {
		dataDir: assets.dataDir,
		model: source,
		order,
		calls: profile.aloneCalls,
		budgetMs: profile.aloneBudgetMs,
		seed: deriveSeed(profile.seed, "alone rows", name, round),
		threads: 1,
	};
	const alone = await startAlone(config, placement.servicePin, signal);
	try {
		const rules = {
			measured: placement.measured,
			lookMs: profile.quietSeconds * 1000,
			requiredIdleShare: profile.quietIdleShare,
			waitAtMostMs: profile.quietWaitSeconds * 1000,
		};
		const onBusy = (busy: string) => progress.remark({ done: taken, total, text: busy });
		const look = await waitForQuiet(rules, { signal, onBusy });
		const canaryBeforeNs = await canary.time();
		const endUsage = watchUsage(placement.measured);
		const sizes = await alone.run(() => {
			taken++;
		});
		const usage = endUsage();
		const canaryAfterNs = await canary.time();
		record.addModelAlone({
			startId,
			model: name,
			round,
			pid: alone.pid,
			order,
			budgetMs: profile.aloneBudgetMs,
			quiet: await quietFigures(look, usage, { idleShare: profile.quietIdleShare, lookMs: rules.lookMs, journal }),
			canaryBeforeNs,
			canaryAfterNs,
			sizes: sizes.sort((one, other) => one.size - other.size),
		});
		progress.remark({ done: taken, total, text });
	} finally {
		alone.stop();
	}
}

/** Makes the rounds of Part A that the record lacks, for one model. */
export async function measureAlone(session: Session, source: string): Promise<void> {
	const { name } = modelOf(session, source);
	const have = new Set(session.record.modelAlone(name).map((row) => row.round));
	for (let round = 1; round <= session.profile.aloneRounds; round++) {
		session.signal.throwIfAborted();
		if (!have.has(round)) await timeRound(session, source, round);
	}
}

/** The bit check of one model with one thread, as the service runs; null when the record has none of this file. */
export function findBitCheck(session: Pick<Session, "record">, name: string): BitCheckRow | null {
	return session.record.bitChecks(name).find((check) => check.threads === 1) ?? null;
}

/** Checks the bits of one model unless the record says already what came of it. */
export async function measureBits(session: Session, source: string): Promise<void> {
	const { record, startId, profile, assets, signal, progress } = session;
	const { name, sha256 } = modelOf(session, source);
	if (findBitCheck(session, name) !== null) return;
	const task = { dataDir: assets.dataDir, model: source, rows: profile.bitRows, sizes: profile.bitSizes, threads: 1 };
	const onProgress = (event: { done: number; total: number; text: string }) =>
		progress.remark({ ...event, text: `bit check of ${name}: ${event.text}` });
	const result = await checkBits(task, { signal, onProgress });
	record.addBitCheck({ startId, model: name, modelSha256: sha256, threads: 1, ...result });
}

/** True when every round of Part A is there. */
export function isAloneComplete(rows: readonly ModelAloneRow[], rounds: number): boolean {
	return new Set(rows.map((row) => row.round)).size >= rounds;
}
