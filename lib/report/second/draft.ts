import type { FinishedRun } from "../../record/index.js";
import { type Numbers, NumberTable } from "../numbers.js";
import type { RecordFacts } from "../source.js";

/** The second table of derived numbers while it is being written, and the run numbers that it is written from. */
export class Draft {
	readonly table = new NumberTable();
	readonly facts: RecordFacts;
	readonly #numbers: ReadonlyMap<number, Numbers>;

	constructor(facts: RecordFacts, numbers: ReadonlyMap<number, Numbers>) {
		this.facts = facts;
		this.#numbers = numbers;
	}

	/** A number of one run. */
	of(run: FinishedRun, name: string): number | undefined {
		return this.#numbers.get(run.id)?.get(name);
	}

	/** How many of the runs have a 1 there. */
	yes(runs: Iterable<FinishedRun>, name: string): number {
		let count = 0;
		for (const run of runs) if (this.of(run, name) === 1) count++;
		return count;
	}
}
