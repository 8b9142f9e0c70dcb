import {
	bitShares,
	coreTime as coreTimeBars,
	type Figure,
	hookPictures,
	journeyTimeline,
	perRowCurve,
	saturationBars,
} from "../charts/index.js";
import { coreTimes } from "./core-time.js";
import type { BusDay } from "./game.js";
import type { ByHand } from "./hand.js";
import { HOOKS, type HookTrace } from "./hooks.js";
import { isControl } from "./saturation.js";
import { aloneOf, bitsOf, runsOf, type Source } from "./values.js";

/** Cost of a row by batch size, one colour a model; `line`: with the fitted curve, once it has been explained. */
export function perRowChart(source: Source, models: readonly string[], { line = false } = {}): Figure {
	return perRowCurve(
		models.map((model) => {
			const { points, bySize, fit, plateau } = aloneOf(source, model);
			return {
				model,
				...(line ? { fit, plateauSize: plateau } : {}),
				points: bySize.map(({ size, us }) => {
					const own = points.filter((point) => point.size === size).map((point) => point.us);
					return { size, us, lowUs: Math.min(...own), highUs: Math.max(...own) };
				}),
			};
		}),
		line ? { title: "The measured times and the fit" } : {},
	);
}

/** Which share of the rows changed, by batch size. */
export function bitChart(source: Source, models: readonly string[]): Figure {
	return bitShares(models.map((model) => bitsOf(source, model)));
}

/** Answers a second of each setting, a dot a round; both models below each other. The controls have a picture of their own. */
export function saturationChart(source: Source, models: readonly string[]): Figure {
	return saturationOf(source, models, (setting) => !isControl(setting));
}

/** The same with the controls: two services with the model, two without. Null when no control was measured. */
export function controlChart(source: Source, model: string): Figure | null {
	const measured = runsOf(source, { kind: "closed", model }).some(({ setting }) => isControl(setting));
	const shown = ["none", "b32w0", "nomodel", "nomodel-deferred"];
	return measured
		? saturationOf(source, [model], (setting) => shown.includes(setting), { title: "With the model and without" })
		: null;
}

function saturationOf(
	source: Source,
	models: readonly string[],
	isShown: (setting: string) => boolean,
	options: { readonly title?: string } = {},
): Figure {
	const place = (setting: string) => (setting === "none" ? 0 : isControl(setting) ? 2 : 1);
	return saturationBars(
		models.flatMap((model) => {
			const runs = runsOf(source, { kind: "closed", model }).filter(({ role }) => role !== "pace" && role !== "aa");
			const settings = [...new Set(runs.map(({ setting }) => setting))]
				.filter(isShown)
				.sort((a, b) => place(a) - place(b) || a.localeCompare(b, "en", { numeric: true }));
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
		options,
	);
}

/** Where a request's core time goes, one bar a model and setting. */
export function coreTimeChart(source: Source, models: readonly string[]): Figure {
	return coreTimeBars(
		models.flatMap((model) =>
			coreTimes(source, model).map(({ setting, modelUs, restUs, clientUs }) => ({
				label: `${model} ${setting}`,
				parts: [
					{ name: "model", value: modelUs },
					{ name: "rest of the service", value: Math.max(0, restUs) },
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
