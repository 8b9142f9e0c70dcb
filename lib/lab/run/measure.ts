import type { ClientDone } from "../../client/index.js";
import type { FinishedRun } from "../../record/index.js";
import { driftOf } from "../machine/canary.js";
import { type QuietLook, waitForQuiet } from "../machine/quiet.js";
import { modelOf, type Session } from "../session/session.js";
import { offsetsOf } from "./columns.js";
import type { Measured } from "./measured.js";
import type { Pair } from "./pair.js";
import type { RunSpec } from "./spec.js";
import { clientConfiguration } from "./traffic.js";
import { quietFigures, watchUsage } from "./usage.js";
import { judged } from "./verdict.js";

/** Makes a stopwatch: each call gives the ms since the call before. */
function stopwatch(): () => number {
	let last = performance.now();
	return () => {
		const now = performance.now();
		const passed = now - last;
		last = now;
		return passed;
	};
}

/** Moments to the whole ns, as the record keeps them: what is judged now is what anybody can compute again later. */
function inWholeNs(done: ClientDone): ClientDone {
	for (const times of [done.columns.scheduledNs, done.columns.sentNs, done.columns.receivedNs]) {
		for (let i = 0; i < times.length; i++) times[i] = Math.round(times[i] ?? Number.NaN);
	}
	return done;
}

/** Looks for quiet, for as long as the run may wait and the schedule has patience left. */
async function look(session: Session, spec: RunSpec): Promise<QuietLook> {
	const { profile, placement, patience, progress, signal } = session;
	const lookMs = profile.quietSeconds * 1000;
	const rules = {
		measured: placement.measured,
		lookMs,
		requiredIdleShare: profile.quietIdleShare,
		waitAtMostMs: Math.min(profile.quietWaitSeconds * 1000, patience.leftMs),
	};
	const onBusy = (text: string) => progress.remark({ done: spec.position, total: spec.position, text });
	const result = await waitForQuiet(rules, { signal, onBusy });
	patience.leftMs = Math.max(0, patience.leftMs - Math.max(0, result.waitedMs - lookMs));
	return result;
}

/**
 * One run, from two loaded processes to their figures:
 *
 *     look for quiet · canary · warm up · count · drain · canary
 *
 * The order keeps the lab itself out: it does nothing between the end of the warm-up and the second canary but wait.
 *
 * @param whileWarming what may go on beside the warm-up; counting begins when both are over
 */
export async function measure(
	session: Session,
	id: number,
	spec: RunSpec,
	pair: Pair,
	whileWarming: () => Promise<void>,
): Promise<Measured> {
	const { placement, canary } = session;
	const lap = stopwatch();
	const configuration = clientConfiguration(session, spec, pair.service.port);
	const prepareMs = lap();
	const quiet = await look(session, spec);
	const quietMs = lap();
	const before = await canary.time();
	const canaryBeforeMs = lap();
	const nextLoaded = whileWarming();
	await pair.client.configure(configuration);
	const warmupMs = lap();
	await nextLoaded;
	const loadingMs = lap();
	pair.service.count();
	const endUsage = watchUsage(placement.measured);
	pair.client.go();
	const done = inWholeNs(await pair.client.result);
	const countAndDrainMs = lap();
	const usage = endUsage();
	const counted = await pair.service.report();
	const after = await canary.time();
	const canaryAfterMs = lap();
	const countMs = spec.kind === "open" ? session.profile.arrivalSeconds * 1000 : session.profile.closedSeconds * 1000;
	return {
		id,
		done,
		counted,
		look: quiet,
		usage,
		canaryNs: [before, after],
		pids: { service: pair.service.pid, client: pair.client.pid },
		timingMs: {
			start: pair.startMs,
			quiet: quietMs,
			canary: canaryBeforeMs + canaryAfterMs,
			prepare: prepareMs,
			warmup: warmupMs,
			loading: loadingMs,
			count: Math.min(countMs, countAndDrainMs),
			drain: Math.max(0, countAndDrainMs - countMs),
		},
	};
}

/** Judges a measured run and puts it on disk, figures and columns in one transaction. */
export async function save(session: Session, spec: RunSpec, measured: Measured): Promise<FinishedRun> {
	const { record, profile, journal } = session;
	const { id, done, counted, look, usage, canaryNs, pids, timingMs } = measured;
	const quiet = await quietFigures(look, usage, {
		idleShare: profile.quietIdleShare,
		lookMs: profile.quietSeconds * 1000,
		journal,
	});
	const [beforeNs, afterNs] = canaryNs;
	const drift = driftOf(beforeNs, afterNs);
	const verdict = judged(session, spec, measured);
	const drifted = drift > profile.canaryDrift;
	const remarks = [
		...(look.quiet ? [] : [`not quiet: ${(look.idleShare * 100).toFixed(0)} % idle before the run`]),
		...(drifted ? [`the core's speed drifted by ${(drift * 100).toFixed(0)} % during the run`] : []),
	];
	const result = {
		epochNs: done.epochNs,
		quiet,
		canary: { beforeNs, afterNs, drift, drifted },
		stealShare: usage.stealShare,
		verdict: verdict.verdict,
		reasons: [...verdict.reasons, ...remarks],
		counts: verdict.counts,
		differing: verdict.differing,
		maxUlp: verdict.maxUlp,
		serviceCpuUs: counted.cpuUs,
		clientCpuUs: done.cpuUs,
		serviceRssBytes: counted.rssBytes,
		clientRssBytes: done.rssBytes,
		servicePid: pids.service,
		clientPid: pids.client,
		summary: verdict.summary,
		errors: done.errors,
		timingMs,
	};
	record.finishRun(id, result, { requests: done.columns, ...offsetsOf(counted, done.epochNs) });
	const run = record.run(id);
	if (run.state !== "finished") throw new Error(`run ${id} of ${modelOf(session, spec.model).name} was not saved`);
	return run;
}
