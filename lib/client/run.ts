import { CodedError } from "../base/index.js";
import { poissonArrivals } from "./arrivals.js";
import { type BodySource, bodySource } from "./bodies.js";
import { ClosedLoop } from "./closed-loop.js";
import type { LoopResult } from "./loop.js";
import { OpenLoop } from "./open-loop.js";
import { ConnectionPool } from "./pool.js";
import type { ClientConfigure } from "./protocol.js";
import { checkedHeaders, checkedMethod, httpUrl, type Target } from "./target.js";

const MOST_CONNECTIONS = 512;
const WARM_UP_SEED = 1;
/** An open warm-up gives up on its last answers after this long; what is counted waits as long as it was told to. */
const WARM_UP_DRAIN_MS = 10_000;

/** Node's timers count ms in 31 bits and ring at once for anything longer; two of these in a row still fit. */
const LONGEST_MS = 1e9;

function checkDurations({ warmupMs, countMs, drainMs }: ClientConfigure): void {
	for (const [what, ms] of Object.entries({ "warm-up": warmupMs, counting: countMs, draining: drainMs })) {
		if (ms >= 0 && ms <= LONGEST_MS) continue;
		throw new CodedError("BAD_DURATION", `${what} takes from 0 to ${LONGEST_MS / 1000} s, got ${ms / 1000} s`);
	}
}

function targetOf({ url, method, headers, bodies }: ClientConfigure): Target {
	const hasBody = bodies.length > 0;
	return {
		url: httpUrl(url),
		method: checkedMethod(method ?? (hasBody ? "POST" : "GET"), hasBody),
		headers: checkedHeaders(headers ?? (hasBody ? [["content-type", "application/json"]] : [])),
	};
}

/**
 * @throws {CodedError} `BAD_URL`, `BAD_METHOD`, `BAD_HEADER`, `BAD_CONNECTIONS`, `BAD_DURATION`, `NO_ARRIVALS`,
 *   `BAD_ARRIVALS`
 */
export function checkConfigure(configure: ClientConfigure): void {
	const { connections, arrivalsNs, mode } = configure;
	targetOf(configure);
	checkDurations(configure);
	if (!Number.isInteger(connections) || connections < 1 || connections > MOST_CONNECTIONS) {
		throw new CodedError(
			"BAD_CONNECTIONS",
			`connections are a number from 1 to ${MOST_CONNECTIONS}, got ${connections}`,
		);
	}
	if (mode === "open" && arrivalsNs === undefined) {
		throw new CodedError("NO_ARRIVALS", "an open loop needs its scheduled arrivals (arrivalsNs)");
	}
	const disorder = arrivalsNs?.findIndex((at, i) => !(at >= (arrivalsNs[i - 1] ?? 0))) ?? -1;
	if (disorder >= 0) {
		throw new CodedError("BAD_ARRIVALS", `arrivals ascend from 0; arrival ${disorder} is ${arrivalsNs?.[disorder]}`);
	}
}

function requireAnswers({ columns, errors }: LoopResult): void {
	const asked = columns.outcome.length;
	if (asked === 0 || columns.outcome.includes(0)) return;
	const why = Object.entries(errors).map(([message, count]) => `${message} (${count}×)`);
	throw new CodedError("NO_ANSWER", `none of the ${asked} requests of the warm-up was answered: ${why.join("; ")}`, {
		exitCode: 1,
	});
}

async function warmUp(pool: ConnectionPool, configure: ClientConfigure, bodies: BodySource): Promise<void> {
	const { mode, warmupMs, warmupBurstMs = 0, warmupRate, pacing, readReplies = true } = configure;
	const common = { bodies, readReplies, drainMs: WARM_UP_DRAIN_MS };
	const closedMs = mode === "closed" ? warmupMs : Math.min(warmupBurstMs, warmupMs);
	if (closedMs > 0) requireAnswers(await new ClosedLoop(pool, { ...common, countMs: closedMs }).run());
	const seconds = (warmupMs - closedMs) / 1000;
	if (!(seconds > 0 && warmupRate > 0)) return;
	const arrivalsNs = poissonArrivals({ ratePerSecond: warmupRate, seconds, seed: WARM_UP_SEED });
	requireAnswers(await (await OpenLoop.prepare(pool, { ...common, arrivalsNs, pacing })).run());
}

/** A client whose connections are open and whose code is warm. */
export interface ReadyClient {
	/** Counts and drains, once. */
	run(): Promise<LoopResult>;
	close(): void;
}

/**
 * Opens the connections, warms up, and makes ready everything that could delay the first counted request.
 *
 * @throws {CodedError} `BAD_URL`, `BAD_METHOD`, `BAD_HEADER`, `BAD_CONNECTIONS`, `BAD_DURATION`, `NO_ARRIVALS`,
 *   `BAD_ARRIVALS`, `CANNOT_CONNECT`, `NO_ANSWER`
 */
export async function prepareClient(configure: ClientConfigure): Promise<ReadyClient> {
	checkConfigure(configure);
	const { mode, connections, offset, template = false, readReplies = true, countMs, drainMs, pacing } = configure;
	const bodies = bodySource(configure.bodies, offset, template);
	const pool = await ConnectionPool.open(targetOf(configure), connections, readReplies);
	try {
		await warmUp(pool, configure, bodies);
		const common = { bodies, readReplies, drainMs };
		const { arrivalsNs = new Float64Array(0) } = configure;
		const loop =
			mode === "closed"
				? new ClosedLoop(pool, { ...common, countMs })
				: await OpenLoop.prepare(pool, { ...common, arrivalsNs, pacing });
		return { run: () => loop.run(), close: () => pool.close() };
	} catch (error) {
		pool.close();
		throw error;
	}
}
