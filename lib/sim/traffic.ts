import { CodedError } from "../base/index.js";

/** Requests come on their own clock, whatever the server does: people. */
export interface OpenTraffic {
	readonly kind: "open";
	/** When each request arrives, ns from 0, ascending (see `drawArrivals` of batching-lab/client). */
	readonly arrivalsNs: Float64Array;
}

/** Each connection sends its next request when it has its last answer: a benchmark tool. */
export interface ClosedTraffic {
	readonly kind: "closed";
	readonly connections: number;
	/** No request is sent after this. */
	readonly seconds: number;
	/** From an answer to the next request of its connection, µs. @default 0 */
	readonly thinkUs?: number;
}

/** Where the simulated server gets its requests from. */
export interface Source {
	/** When the next request arrives; `Infinity` when none is known. */
	readonly nextNs: number;
	/** Takes the next request. */
	take(): void;
	/** A request was answered, or refused. */
	answered(atNs: number): void;
}

function openSource({ arrivalsNs }: OpenTraffic): Source {
	let next = 0;
	for (let i = 1; i < arrivalsNs.length; i++) {
		if (!((arrivalsNs[i] ?? Number.NaN) >= (arrivalsNs[i - 1] ?? Number.NaN))) {
			throw new CodedError(
				"BAD_ARRIVALS",
				`arrivals must be ascending numbers of ns, but number ${i} is ${arrivalsNs[i]}`,
			);
		}
	}
	return {
		get nextNs() {
			return arrivalsNs[next] ?? Number.POSITIVE_INFINITY;
		},
		take: () => {
			next++;
		},
		answered: () => {},
	};
}

/** More answers than this without any time passing is a loop that goes round for ever. */
const MOST_IN_ONE_MOMENT = 1_000_000;

function closedSource({ connections, seconds, thinkUs = 0 }: ClosedTraffic): Source {
	if (!(Number.isInteger(connections) && connections >= 1)) {
		throw new CodedError(
			"BAD_CONNECTIONS",
			`a closed loop needs a whole number of connections, 1 or more, got ${connections}`,
		);
	}
	if (!(seconds > 0 && Number.isFinite(seconds) && thinkUs >= 0)) {
		throw new CodedError(
			"BAD_CLOSED_LOOP",
			`a closed loop lasts more than 0 s and thinks 0 µs or more, got ${seconds} s and ${thinkUs} µs`,
		);
	}
	// Answers come in the order of time and everybody thinks equally long, so the sends need no sorting.
	let sendsNs: number[] = new Array(connections).fill(0);
	let next = 0;
	let lastNs = 0;
	let inOneMoment = 0;
	return {
		get nextNs() {
			return sendsNs[next] ?? Number.POSITIVE_INFINITY;
		},
		take: () => {
			next++;
			if (next > 4096) {
				sendsNs = sendsNs.slice(next);
				next = 0;
			}
		},
		answered: (atNs) => {
			inOneMoment = atNs === lastNs ? inOneMoment + 1 : 0;
			lastNs = atNs;
			if (inOneMoment > MOST_IN_ONE_MOMENT) {
				throw new CodedError("NO_TIME_PASSES", `${inOneMoment} answers in one moment: this loop would never end`, {
					hint: "give the request a cost, or the client a time to think",
				});
			}
			const sendNs = atNs + thinkUs * 1000;
			if (sendNs <= seconds * 1e9) sendsNs.push(sendNs);
		},
	};
}

/** @throws {CodedError} `BAD_ARRIVALS`, `BAD_CONNECTIONS`, `BAD_CLOSED_LOOP`; while running `NO_TIME_PASSES` */
export function createSource(traffic: OpenTraffic | ClosedTraffic): Source {
	return traffic.kind === "open" ? openSource(traffic) : closedSource(traffic);
}
