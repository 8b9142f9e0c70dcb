import { CodedError, deriveSeed } from "../base/index.js";
import { poissonArrivals } from "../client/index.js";
import { median } from "../stats/index.js";
import type { ServerCosts } from "./server.js";
import { type SimulatedBatcher, simulateQueue } from "./simulate.js";
import { type QueueSummary, summariseQueue } from "./summary.js";

export interface SimulatedSetting {
	/** As in `none`, `b32w2`. */
	readonly name: string;
	readonly batcher: SimulatedBatcher | "none";
}

export interface SimulatedSweepOptions {
	readonly server: ServerCosts;
	readonly settings: readonly SimulatedSetting[];
	/** Rates as multiples of S, the saturation without a batcher. */
	readonly rateMultiples: readonly number[];
	/** How long requests arrive in each run. @default 8 */
	readonly seconds?: number;
	/** Each round draws arrivals of its own, the same for all settings; a point is the median of them. @default 5 */
	readonly rounds?: number;
	/** Of the closed loop that finds S. @default 16 */
	readonly connections?: number;
	/** @default 1 */
	readonly seed?: number;
	readonly onProgress?: (event: { readonly done: number; readonly total: number; readonly text: string }) => void;
}

/** One setting at one rate, the median of the rounds. A percentile is null when a run has too few answers for it. */
export interface SimulatedPoint {
	readonly setting: string;
	readonly rateMultiple: number;
	readonly ratePerSecond: number;
	readonly p50Ms: number | null;
	readonly p99Ms: number | null;
	readonly answeredPerSecond: number;
	readonly meanBatch: number;
	readonly utilisation: number;
	/** Rounds in which it answered at least 95 % as fast as requests came. */
	readonly keptUp: number;
}

export interface SimulatedSweep {
	/** S: what a closed loop gets out of the server without a batcher. */
	readonly saturationPerSecond: number;
	readonly points: readonly SimulatedPoint[];
}

function medianOf(runs: readonly QueueSummary[], pick: (run: QueueSummary) => number | null): number | null {
	const values: number[] = [];
	for (const run of runs) {
		const value = pick(run);
		if (value === null) return null;
		values.push(value);
	}
	return median(values);
}

/**
 * The lesson's sweep on a simulated server: S first, then every setting at every multiple of it, on the same Poisson
 * arrivals. Settings come in the order given, each with its rates.
 *
 * @throws {CodedError} `BAD_SWEEP` for an empty list or a rate that is not above 0; and what `simulateQueue` throws
 */
export function simulateSweep(options: SimulatedSweepOptions): SimulatedSweep {
	const { server, settings, rateMultiples, seconds = 8, rounds = 5, connections = 16, seed = 1 } = options;
	if (settings.length === 0 || rateMultiples.length === 0 || !(Number.isInteger(rounds) && rounds >= 1)) {
		throw new CodedError("BAD_SWEEP", "a sweep needs at least one setting, one rate multiple and one round");
	}
	const bad = rateMultiples.find((multiple) => !(multiple > 0 && Number.isFinite(multiple)));
	if (bad !== undefined) throw new CodedError("BAD_SWEEP", `a rate multiple is a number above 0, got ${bad}`);
	const closed = { kind: "closed", connections, seconds } as const;
	const saturation = summariseQueue(simulateQueue({ traffic: closed, batcher: "none", server }));
	const saturationPerSecond = saturation.answeredPerSecond;
	const total = settings.length * rateMultiples.length;
	const points: SimulatedPoint[] = [];
	for (const { name, batcher } of settings) {
		for (const rateMultiple of rateMultiples) {
			const ratePerSecond = rateMultiple * saturationPerSecond;
			options.onProgress?.({ done: points.length, total, text: `${name} at ${rateMultiple} S` });
			const runs: QueueSummary[] = [];
			for (let round = 0; round < rounds; round++) {
				const arrivalsNs = poissonArrivals({ ratePerSecond, seconds, seed: deriveSeed(seed, round, rateMultiple) });
				const history = simulateQueue({ traffic: { kind: "open", arrivalsNs }, batcher, server });
				runs.push(summariseQueue(history, seconds * 1e9));
			}
			points.push({
				setting: name,
				rateMultiple,
				ratePerSecond,
				p50Ms: medianOf(runs, ({ p50Ms }) => p50Ms),
				p99Ms: medianOf(runs, ({ p99Ms }) => p99Ms),
				answeredPerSecond: median(runs.map((run) => run.answeredPerSecond)),
				meanBatch: median(runs.map((run) => run.meanBatch)),
				utilisation: median(runs.map((run) => run.utilisation)),
				keptUp: runs.filter(({ keepsUp }) => keepsUp).length,
			});
		}
	}
	options.onProgress?.({ done: total, total, text: "simulated" });
	return { saturationPerSecond, points };
}
