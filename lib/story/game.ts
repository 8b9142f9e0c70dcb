import { CodedError, seededRandom } from "../base/index.js";
import { MicroBatcher, VirtualClock } from "../batcher/index.js";
import { fact, prose } from "../report/index.js";
import { tell } from "./tell.js";

export interface BusRules {
	readonly seats: number;
	/** How long the first passenger on board is made to wait; 0 = leave as soon as the bus is back. */
	readonly waitMinutes: number;
}

export interface Trip {
	readonly leavesAt: number;
	readonly passengers: number;
}

export interface BusDay extends BusRules {
	/** Minutes at which people come to the stop. */
	readonly arrivals: readonly number[];
	readonly trips: readonly Trip[];
	/** From coming to the stop to getting off, minutes, by passenger. */
	readonly journeys: readonly number[];
	tell(): void;
}

/** Minutes of one trip. */
export const TRIP_MINUTES = 4;
const PASSENGERS = 12;

/** Twelve people within about half an hour, the same every day. */
function busArrivals(): number[] {
	const random = seededRandom(12);
	let at = 0;
	return Array.from({ length: PASSENGERS }, () => {
		at += -Math.log(1 - random()) * 2.2;
		return Math.round(at * 2) / 2;
	});
}

/**
 * Plays one morning of the minibus with the workbook's real batcher on a virtual clock: a minute of the game is a
 * millisecond of that clock, the bus is the model, the seats are B and the wait is W.
 */
export async function busGame({ seats, waitMinutes }: BusRules): Promise<BusDay> {
	if (!Number.isInteger(seats) || seats < 1)
		throw new CodedError("BAD_GAME", `seats must be a whole number of at least 1, got ${seats}`);
	if (!(waitMinutes >= 0)) throw new CodedError("BAD_GAME", `waitMinutes must be 0 or more, got ${waitMinutes}`);
	const clock = new VirtualClock();
	const trips: Trip[] = [];
	const bus = new MicroBatcher<number, number>(
		async (people) => {
			trips.push({ leavesAt: clock.nowMs, passengers: people.length });
			await clock.sleep(TRIP_MINUTES);
			return people;
		},
		{ maxBatchSize: seats, maxWaitMs: waitMinutes, clock },
	);
	const arrivals = busArrivals();
	const journeys = new Array<number>(arrivals.length).fill(0);
	for (const [passenger, minute] of arrivals.entries()) {
		clock.at(minute, () => {
			void bus.submit(passenger).then(() => {
				journeys[passenger] = clock.nowMs - minute;
			});
		});
	}
	await clock.runAll();
	return {
		seats,
		waitMinutes,
		arrivals,
		trips,
		journeys,
		tell: () => tell(tellDay({ seats, waitMinutes }, trips, journeys)),
	};
}

function tellDay({ seats, waitMinutes }: BusRules, trips: readonly Trip[], journeys: readonly number[]): string {
	const longest = Math.max(...journeys);
	const mean = journeys.reduce((sum, minutes) => sum + minutes, 0) / journeys.length;
	const key = `virtual/bus/${seats}/${waitMinutes}`;
	return prose`The bus made **${fact(`${key}/trips`, trips.length, trips.length === 1 ? "trip" : "trips")}**. From coming to the stop to getting off, people needed ${fact(`${key}/mean`, mean, "minutes")} on average; the unluckiest needed **${fact(`${key}/longest`, longest, "minutes")}**, of which the trip itself is ${fact("virtual/bus/trip", TRIP_MINUTES)}.`;
}
