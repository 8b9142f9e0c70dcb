import { type ClientConfigure, poissonArrivals } from "../../client/index.js";
import { parseSetting } from "../../service/index.js";
import { readRequests } from "../../shop/index.js";
import { scoreRequests } from "../scores/process.js";
import { modelOf, type Session } from "../session/session.js";
import type { RunSpec } from "./spec.js";

/** Bodies of the request list, read once a session. */
const bodiesOf = new WeakMap<Session, readonly string[]>();

function bodies(session: Session): readonly string[] {
	const known = bodiesOf.get(session);
	if (known !== undefined) return known;
	const list = readRequests(session.assets.requestsPath).map((request) => request.body);
	bodiesOf.set(session, list);
	return list;
}

/**
 * The single-row scores that a model's answers are held against; computed once a record and kept in it. Undefined where
 * there is nothing to compare: a control without a model, or a model that does not take the shop's features.
 */
export async function expectedBits(
	session: Session,
	spec: Pick<RunSpec, "model" | "setting">,
): Promise<Uint32Array | undefined> {
	if (parseSetting(spec.setting).kind.startsWith("nomodel")) return undefined;
	const { record, assets, signal, progress } = session;
	const { name, source, sha256 } = modelOf(session, spec.model);
	const known = record.singleScoreBits(name, sha256);
	if (known !== undefined && known.length === bodies(session).length) return known;
	const onProgress = ({ done, total }: { done: number; total: number }) =>
		progress.remark({ done, total, text: `scoring every request alone with ${name}` });
	const bits = await scoreRequests(assets.dataDir, source, { signal, onProgress });
	if (bits === null) return undefined;
	record.putSingleScores(name, sha256, bits);
	return bits;
}

/** Draws the arrivals of a run in whole ns, as records keep them. */
function arrivalsOf(session: Session, spec: RunSpec): Float64Array {
	const { ratePerSecond, seed } = spec;
	if (ratePerSecond === null) return new Float64Array(0);
	return poissonArrivals({ ratePerSecond, seconds: session.profile.arrivalSeconds, seed }).map(Math.round);
}

/** Everything the client of a run has to know. The same spec gives the same traffic, to the request. */
export async function clientConfiguration(session: Session, spec: RunSpec, port: number): Promise<ClientConfigure> {
	const { profile } = session;
	const list = bodies(session);
	const expected = await expectedBits(session, spec);
	const open = spec.kind === "open";
	return {
		type: "configure",
		mode: spec.kind,
		url: `http://127.0.0.1:${port}/predict`,
		connections: open ? profile.connections : profile.closedConnections,
		bodies: list,
		...(expected === undefined ? {} : { expectedBits: expected }),
		offset: spec.seed % list.length,
		warmupMs: profile.warmupSeconds * 1000,
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
