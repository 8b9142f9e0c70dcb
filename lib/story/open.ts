import { type LabRun, type MeasureOptions, type OpenRunOptions, openRun as openLabRun } from "../lab/index.js";
import { recordGuesses } from "../report/index.js";

/**
 * The laboratory's `openRun`, and the author's guesses are in the record before anything is timed.
 *
 * @throws as the laboratory's
 */
export async function openRun(options: OpenRunOptions = {}): Promise<LabRun> {
	const run = await openLabRun(options);
	recordGuesses({ guesses: run.record.guesses(), write: (guess) => run.guess(guess) });
	return run;
}

/** Measures whatever this run lacks; goes through at once when nothing is missing. */
export async function measureAll(run: LabRun, options: MeasureOptions = {}): Promise<void> {
	for (const model of run.models) {
		await run.modelAlone(model, options);
		await run.bitCheck(model, options);
	}
	await run.saturation(options);
	await run.sweep(options);
}
