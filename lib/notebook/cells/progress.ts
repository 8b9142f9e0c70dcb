import { randomUUID } from "node:crypto";
import { displayMime } from "../../base/index.js";
import { interruptSignal } from "./interrupt.js";

/** How far a long task is. */
export interface TaskProgress {
	readonly done: number;
	readonly total: number;
	/** What goes on now, one short phrase. */
	readonly text: string;
}

export interface LiveProgress {
	/** Draws where the task is, in place of what was drawn before. Cheap: nothing runs between two calls. */
	readonly onProgress: (event: TaskProgress) => void;
	/** Aborts when the cell is interrupted. */
	readonly signal: AbortSignal;
}

/** The runner reads it to tell how long is left; front ends show the other forms. */
export const PROGRESS_MIME = "application/vnd.workbook.progress+json";

/** Content of `PROGRESS_MIME`. */
export interface ProgressFacts extends TaskProgress {
	readonly elapsedMs: number;
	/** null until something is done. */
	readonly leftMs: number | null;
}

/** More often than this nobody can read, and a timed run should not be disturbed by drawing. */
const REDRAW_MS = 200;

/**
 * Progress of a long task, drawn in place below the cell, and the signal that stops the task when the cell is
 * interrupted. Both have the names that long tasks of this library take.
 *
 * @param what what is counted, in the plural: "55 of 55 timings of gbt in 10 s"
 * @example
 * const result = await longTask({ ...liveProgress("timings") });
 */
export function liveProgress(what?: string): LiveProgress {
	const displayId = randomUUID();
	const startedMs = performance.now();
	let drawnMs = Number.NEGATIVE_INFINITY;
	const onProgress = (event: TaskProgress): void => {
		const nowMs = performance.now();
		if (event.done < event.total && nowMs - drawnMs < REDRAW_MS) return;
		const update = drawnMs > 0;
		drawnMs = nowMs;
		const elapsedMs = nowMs - startedMs;
		const leftMs = event.done > 0 ? (elapsedMs / event.done) * (event.total - event.done) : null;
		displayMime(forms({ ...event, elapsedMs, leftMs }, what), { displayId, update });
	};
	return { onProgress, signal: interruptSignal() };
}

function forms(facts: ProgressFacts, what: string | undefined): Record<string, unknown> {
	const { done, total, text, elapsedMs, leftMs } = facts;
	const [all, counted] = [total.toLocaleString("en-US"), what === undefined ? "" : ` ${what}`];
	if (done >= total) {
		const plain = `${all} of ${all}${counted} in ${took(elapsedMs)}`;
		return { "text/html": `<small>${escaped(plain)}</small>`, "text/plain": plain };
	}
	const left = leftMs === null ? "" : `, about ${clock(leftMs)} left`;
	const plain = `${done.toLocaleString("en-US")} of ${all}${counted}, ${clock(elapsedMs)}${left}: ${text}`;
	const bar = `<progress value="${done}" max="${total}"></progress>`;
	return {
		"text/html": `${bar} <small>${escaped(plain)}</small>`,
		"text/plain": plain,
		[PROGRESS_MIME]: { done, total, text, elapsedMs, leftMs },
	};
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A time that is over, in words: `7 s`, `3 min 24 s`. */
function took(ms: number): string {
	const seconds = Math.max(1, Math.round(ms / 1_000));
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Minutes and seconds: `0:07`, `12:30`; hours in front when there are some. */
export function clock(ms: number): string {
	const seconds = Math.max(0, Math.round(ms / 1_000));
	const rest = `${String(Math.floor(seconds / 60) % 60).padStart(seconds >= 3_600 ? 2 : 1, "0")}:${String(seconds % 60).padStart(2, "0")}`;
	return seconds >= 3_600 ? `${Math.floor(seconds / 3_600)}:${rest}` : rest;
}
