import type { RequestColumns } from "./protocol.js";

/** Two sends closer than this reach a service as one: it reads both in one turn of its loop. */
export const TOGETHER_NS = 50_000;

/**
 * Which requests found every connection taken when they were due. They are sent late because of the service, not because
 * of the client. Requests leave in scheduled order, so request i had to wait exactly when, at its scheduled moment, at
 * least `connections` of the i before it had not come to an end.
 *
 * @returns one entry a request, 1 = had to wait
 */
export function hadToWait({ scheduledNs, sentNs, receivedNs }: RequestColumns, connections: number): Uint8Array {
	const count = scheduledNs.length;
	// A request that failed without an answer held its connection for a time nobody knows; it counts from its send on.
	const endedNs = receivedNs.map((at, i) => (Number.isNaN(at) ? (sentNs[i] as number) : at));
	for (let i = 0; i < count; i++) if (Number.isNaN(endedNs[i])) endedNs[i] = Number.POSITIVE_INFINITY;
	endedNs.sort();
	const waited = new Uint8Array(count);
	let ended = 0;
	for (let i = 0; i < count; i++) {
		while (ended < count && (endedNs[ended] as number) <= (scheduledNs[i] as number)) ended++;
		if (i - ended >= connections) waited[i] = 1;
	}
	return waited;
}

/**
 * The share of requests whose moment lies within 50 µs of the moment before, whichever request that belongs to. Moments
 * that never happened (NaN) take no part; requests that are `leftOut` count as the one before only.
 */
export function shareTogether(momentsNs: Float64Array, leftOut?: Uint8Array): number {
	const order = Array.from(momentsNs.keys()).filter((i) => !Number.isNaN(momentsNs[i]));
	order.sort((a, b) => (momentsNs[a] as number) - (momentsNs[b] as number));
	let [counted, together] = [0, 0];
	for (let place = 1; place < order.length; place++) {
		const [before, request] = [order[place - 1] as number, order[place] as number];
		if (leftOut?.[request] === 1) continue;
		counted++;
		if ((momentsNs[request] as number) - (momentsNs[before] as number) < TOGETHER_NS) together++;
	}
	return counted === 0 ? 0 : together / counted;
}

/** Sends may lie together in twice the share that was drawn, … */
const MOST_TIMES = 2;
/** … and in 2 % where hardly any was drawn: a metronome has none at all, and one disturbance makes a few. */
const FEW = 0.02;
/** Standard errors of a share that a short run is allowed beyond that. */
const NOISE = 3;

/**
 * The largest share of sends within 50 µs of the one before with which the sent gaps still count as the drawn ones:
 * twice the schedule's own share, at least 2 %, and three standard errors of such a share among `count` sends.
 */
export function allowedTogether(scheduledShare: number, count: number): number {
	const share = Math.min(1, Math.max(MOST_TIMES * scheduledShare, FEW));
	return share + NOISE * Math.sqrt((share * (1 - share)) / Math.max(1, count));
}
