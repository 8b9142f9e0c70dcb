import {
	bitShares,
	coreTime as coreTimeBars,
	type Figure,
	hookPictures,
	journeyTimeline,
	perRowCurve,
	saturationBars,
} from "../charts/index.js";
import type { BusDay } from "./game.js";
import type { ByHand } from "./hand.js";
import { HOOKS, type HookTrace } from "./hooks.js";
import { coreTimes } from "./saturation.js";
import { aloneOf, bitsOf, runsOf, type Source } from "./values.js";

/** Cost of a row by batch size, one line a model, with the fitted curve. */
export function perRowChart(source: Source, models: readonly string[]): Figure {
	return perRowCurve(
		models.map((model) => {
			const { points, bySize, fit, plateau } = aloneOf(source, model);
			return {
				model,
				fit,
				plateauSize: plateau,
				points: bySize.map(({ size, us }) => {
					const own = points.filter((point) => point.size === size).map((point) => point.us);
					return { size, us, lowUs: Math.min(...own), highUs: Math.max(...own) };
				}),
			};
		}),
	);
}

/** Which share of the rows changed, by batch size. */
export function bitChart(source: Source, models: readonly string[]): Figure {
	return bitShares(models.map((model) => bitsOf(source, model)));
}

/** Answers a second of each setting, a dot a round; both models below each other. */
export function saturationChart(source: Source, models: readonly string[]): Figure {
	return saturationBars(
		models.flatMap((model) => {
			const runs = runsOf(source, { kind: "closed", model }).filter(({ role }) => role !== "pace" && role !== "aa");
			const settings = [...new Set(runs.map(({ setting }) => setting))].sort(
				(a, b) => Number(b === "none") - Number(a === "none"),
			);
			return settings.map((setting) => ({
				setting,
				label: `${model} ${setting}`,
				answersPerSecond: runs
					.filter((run) => run.setting === setting)
					.flatMap(({ summary: { answeredPerSecond } }) =>
						typeof answeredPerSecond === "number" ? [answeredPerSecond] : [],
					),
			}));
		}),
	);
}

/** Where a request's core time goes, one bar a model and setting. */
export function coreTimeChart(source: Source, models: readonly string[]): Figure {
	return coreTimeBars(
		models.flatMap((model) =>
			coreTimes(source, model).map(({ setting, modelUs, serviceUs, clientUs }) => ({
				label: `${model} ${setting}`,
				parts: [
					{ name: "model", value: modelUs },
					{ name: "rest of the service", value: Math.max(0, serviceUs - modelUs) },
					{ name: "client", value: clientUs },
				],
			})),
		),
	);
}

/** The order of reading and leaving, one line a hook. */
export function hookChart(trace: HookTrace): Figure {
	return hookPictures(
		HOOKS.map((hook) => ({
			hook,
			events: trace[hook].map((step) =>
				step.what === "read"
					? { kind: "read" as const, request: step.request }
					: { kind: "flush" as const, rows: step.rows },
			),
		})),
	);
}

/** All batches made by hand, on one time line. */
export function byHandChart(byHand: ByHand): Figure {
	const journeys = byHand.batches.flatMap(({ rows, leavesMs, doneMs }) =>
		rows.map((row) => ({
			label: `row ${row + 1}`,
			arrived: byHand.arrivalsMs[row] ?? 0,
			left: leavesMs,
			done: doneMs,
		})),
	);
	return journeyTimeline({
		journeys,
		title: `${byHand.maxBatchSize} seats, a wait of ${byHand.maxWaitMs} ms, a model call of ${byHand.modelMs} ms`,
		unit: "ms",
		parts: { wait: "waits for the batch", ride: "shares one model call" },
		departures: byHand.batches.map(({ leavesMs, reason }) => ({ at: leavesMs, text: reason })),
	});
}

/** The whole morning of the minibus: who waited from when to when, and rode until when. */
export function busChart(day: BusDay): Figure {
	let passenger = 0;
	const journeys = day.trips.flatMap(({ leavesAt, passengers }) =>
		Array.from({ length: passengers }, () => {
			const arrived = day.arrivals[passenger] ?? 0;
			const done = arrived + (day.journeys[passenger] ?? 0);
			passenger++;
			return { label: `person ${passenger}`, arrived, left: leavesAt, done };
		}),
	);
	return journeyTimeline({
		journeys,
		title: `${day.seats} ${day.seats === 1 ? "seat" : "seats"}, a wait of ${day.waitMinutes} minutes: ${day.trips.length} ${day.trips.length === 1 ? "trip" : "trips"}`,
		unit: "minutes",
		parts: { wait: "at the stop", ride: "on the road" },
		departures: day.trips.map(({ leavesAt }) => ({ at: leavesAt, text: "" })),
	});
}
