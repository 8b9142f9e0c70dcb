import { CodedError } from "../base/index.js";
import type { PolicyOptions } from "../batcher/index.js";
import { Core, type Freeze } from "./core.js";
import type { QueueHistory } from "./history.js";
import { type QueueBounds, ServerLoop } from "./loop.js";
import type { ServerCosts } from "./server.js";
import { type ClosedTraffic, createSource, type OpenTraffic } from "./traffic.js";

/** The dials of the simulated batcher; they mean what they mean to `MicroBatcher`. */
export interface SimulatedBatcher extends QueueBounds {
	readonly maxBatchSize: number;
	readonly maxWaitMs: number;
}

export interface SimulateOptions {
	readonly traffic: OpenTraffic | ClosedTraffic;
	/** `none`: no batcher, every handler calls the model with its own row, as with `await session.run()`. */
	readonly batcher: SimulatedBatcher | "none";
	readonly server: ServerCosts;
	/** Moments at which the server stands still; the clients do not. */
	readonly freezes?: readonly Freeze[];
}

function policyOf({ maxBatchSize, maxWaitMs }: SimulatedBatcher): PolicyOptions {
	if (!(Number.isInteger(maxBatchSize) && maxBatchSize >= 1 && maxWaitMs >= 0 && Number.isFinite(maxWaitMs))) {
		throw new CodedError(
			"BAD_SETTING",
			`B is a whole number of 1 or more and W a time of 0 ms or more, got B = ${maxBatchSize}, W = ${maxWaitMs}`,
		);
	}
	return { maxBatchSize, maxWaitNs: maxWaitMs * 1e6, slackNs: 0 };
}

/**
 * A service on one core in virtual time: an event loop that reads its sockets, asks the live batcher's own flush policy
 * what to do, calls the model and writes the answers. Pure: equal options give equal histories (a `modelNs` that draws
 * must be seeded). A million requests take under a second.
 *
 * What it leaves out: operating system, garbage collection, cache, a second core. So it shows how queueing and batching
 * work together, and its numbers are as good as the costs that it is given.
 *
 * @throws {CodedError} `BAD_SETTING`, `BAD_COST`, `BAD_ARRIVALS`, `BAD_CONNECTIONS`, `BAD_CLOSED_LOOP`, `BAD_FREEZE`,
 *   `NO_TIME_PASSES`
 * @example
 * const { latencyNs } = simulateQueue({
 *   traffic: { kind: "open", arrivalsNs: poissonArrivals({ ratePerSecond: 2000, seconds: 8, seed: 1 }) },
 *   batcher: { maxBatchSize: 32, maxWaitMs: 0 },
 *   server: { modelNs: affineModel({ fixedUs: 82, perRowUs: 16 }), beforeUs: 60, afterUs: 40 },
 * });
 */
export function simulateQueue({ traffic, batcher, server, freezes }: SimulateOptions): QueueHistory {
	const loop = new ServerLoop(server, createSource(traffic), new Core(freezes));
	if (batcher === "none") loop.runWithoutBatcher();
	else loop.runBatcher(policyOf(batcher), batcher);
	return loop.history();
}
