import { PROGRESS_MIME } from "./cells/progress.js";
import type { CodeCell } from "./format.js";

/** One notebook of a run, for the estimate: its code cells in order, and how long each took before, ms. */
export interface TimedNotebook {
	readonly cellIds: readonly string[];
	readonly earlier: ReadonlyMap<string, number>;
}

/** A kernel's start, where no earlier run says better. */
const START_MS = 2_500;

/**
 * Says how long a run will still take: from what the same cells took in an earlier run, from what a long cell says of
 * itself, and for cells nobody knows yet from the mean of those that are done.
 */
export class TimeLeft {
	readonly #notebooks: readonly TimedNotebook[];
	#notebook = -1;
	#cell = 0;
	#doneMs = 0;
	#doneCells = 0;

	constructor(notebooks: readonly TimedNotebook[]) {
		this.#notebooks = notebooks;
	}

	notebookStarted(index: number): void {
		this.#notebook = index;
		this.#cell = 0;
	}

	cellEnded(durationMs: number): void {
		this.#cell++;
		this.#doneCells++;
		this.#doneMs += durationMs;
	}

	/** ms, with the running cell having run for `cellMs`; undefined while nothing is known. */
	leftMs(cellMs: number, running?: CodeCell): number | undefined {
		const known = this.#notebooks.some(({ earlier }) => earlier.size > 0);
		const own = running === undefined ? undefined : ownEstimate(running);
		if (!known && own === undefined && this.#doneCells === 0) return undefined;
		const mean = this.#doneCells === 0 ? 0 : this.#doneMs / this.#doneCells;
		let left = 0;
		for (const [index, { cellIds, earlier }] of this.#notebooks.entries()) {
			if (index < this.#notebook) continue;
			if (index > this.#notebook) left += START_MS;
			for (const [position, id] of cellIds.entries()) {
				const expected = earlier.get(id) ?? mean;
				if (index > this.#notebook || position > this.#cell) left += expected;
				else if (position === this.#cell) left += own ?? Math.max(0, expected - cellMs);
			}
		}
		return left;
	}
}

/** What a long cell that shows `liveProgress` says of itself. */
function ownEstimate(cell: CodeCell): number | undefined {
	for (const output of cell.outputs) {
		if (output.output_type !== "display_data") continue;
		const facts = output.data[PROGRESS_MIME];
		if (typeof facts !== "object" || facts === null || !("leftMs" in facts)) continue;
		if (typeof facts.leftMs === "number") return facts.leftMs;
	}
	return undefined;
}
