import { type ClientConfigure, poissonArrivals } from "../../client/index.js";
import { parseSetting } from "../../service/index.js";
import { readRequests } from "../../shop/index.js";
import { scoreRequests } from "../scores/process.js";
import { modelOf, type Session } from "../session/session.js";
import { BURST_SHARE, warmupSecondsOf } from "../warm-up.js";
import type { RunSpec } from "./spec.js";

/** Read once a session. */
const bodiesOf = new WeakMap<Session, readonly string[]>();

/** Bodies of the request list, in its order. */
export function bodies(session: Session): readonly string[] {
	const known = bodiesOf.get(session);
	if (known !== undefined) return known;
	const list = readRequests(session.assets.requestsPath).map((request) => request.body);
	bodiesOf.set(session, list);
	return list;
}

/**
 * The single-row scores that the answers of a run are held against, as the record keeps them. Undefined where there is
 * nothing to compare: a control without a model, or a model that does not take the shop's features.
 */
export function keptBits(session: Session, spec: Pick<RunSpec, "model" | "setting">): Uint32Array | undefined {
	if (parseSetting(spec.setting).kind.startsWith("nomodel")) return undefined;
	const { name, sha256 } = modelOf(session, spec.model);
	return session.record.singleScoreBits(name, sha256);
}

/** Computes the single-row scores of the models that are measured, unless the record has them; before anything is timed. */
export async function prepareScores(session: Session, specs: readonly RunSpec[]): Promise<void> {
	const { record, assets, signal, progress } = session;
	for (const model of new Set(specs.map((spec) => spec.model))) {
		const { name, source, sha256 } = modelOf(session, model);
		if (record.singleScoreBits(name, sha256) !== undefined) continue;
		const onProgress = ({ done, total }: { done: number; total: number }) =>
			progress.remark({ done, total, text: `scoring every request alone with ${name}` });
		const bits = await scoreRequests(assets.dataDir, source, { signal, onProgress });
		if (bits !== null) record.putSingleScores(name, sha256, bits);
	}
}

/** Draws the arrivals of a run in whole ns, as records keep them. */
function arrivalsOf(session: Session, spec: RunSpec): Float64Array {
	const { ratePerSecond, seed } = spec;
	if (ratePerSecond === null) return new Float64Array(0);
	return poissonArrivals({ ratePerSecond, seconds: session.profile.arrivalSeconds, seed }).map(Math.round);
}

/** Everything the client of a run has to know. The same spec gives the same traffic, to the request. */
export function clientConfiguration(session: Session, spec: RunSpec, port: number): ClientConfigure {
	const { profile } = session;
	const list = bodies(session);
	const open = spec.kind === "open";
	const warmupMs = warmupSecondsOf(profile, spec.kind) * 1000;
	return {
		type: "configure",
		mode: spec.kind,
		url: `http://127.0.0.1:${port}/predict`,
		connections: open ? profile.connections : profile.closedConnections,
		bodies: list,
		offset: spec.seed % list.length,
		warmupMs,
		warmupBurstMs: warmupMs * BURST_SHARE,
		warmupRate: warmupRate(spec),
		countMs: profile.closedSeconds * 1000,
		...(open ? { arrivalsNs: arrivalsOf(session, spec) } : {}),
		pacing: profile.pacing,
		drainMs: profile.drainSeconds * 1000,
	};
}

/**
 * The warm-up runs at the run's own rate, or at half of S where that is less: a service that is overloaded while it
 * warms up would begin to count with a queue.
 */
function warmupRate({ ratePerSecond, saturationPerSecond }: RunSpec): number {
	return Math.min(ratePerSecond ?? 0, (saturationPerSecond ?? 0) / 2);
}
