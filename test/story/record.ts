import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecord, type RecordWriter } from "batching-lab/record";
import type { Source } from "batching-lab/story";
import { QUIET, START } from "../record/fixture.js";

/** µs of a call by its rows. */
export type Times = Readonly<Record<number, number>>;

/** A real record in a folder that goes away with the test, with nothing in it yet. */
export function emptyRecord(t: { after(action: () => void): void }): {
	readonly record: RecordWriter;
	startId: number;
} {
	const folder = mkdtempSync(join(tmpdir(), "story-"));
	const record = createRecord(join(folder, "lab.sqlite"));
	t.after(() => {
		record.close();
		rmSync(folder, { recursive: true, force: true });
	});
	return { record, startId: record.addStart(START) };
}

/** A record of the models alone: for each model the times of its rounds. */
export function timed(
	t: { after(action: () => void): void },
	models: Readonly<Record<string, readonly Times[]>>,
): Source {
	const { record, startId } = emptyRecord(t);
	for (const [model, rounds] of Object.entries(models)) {
		for (const [index, times] of rounds.entries()) {
			const sizes = Object.entries(times).map(([size, us]) => {
				const ns = us * 1000;
				return { size: Number(size), calls: 9, minNs: ns, p25Ns: ns, p50Ns: ns, p75Ns: ns, p99Ns: ns, meanNs: ns };
			});
			record.addModelAlone({
				startId,
				model,
				round: index + 1,
				pid: index + 1,
				order: sizes.map(({ size }) => size),
				budgetMs: 60,
				quiet: QUIET,
				canaryBeforeNs: 1e7,
				canaryAfterNs: 1e7,
				sizes,
			});
		}
	}
	return { record };
}

/** Call times that lie on the line a + b·n, µs. */
export function onALine(fixedUs: number, rowUs: number, largest = 1024): Times {
	const times: Record<number, number> = {};
	for (let size = 1; size <= largest; size *= 2) times[size] = fixedUs + rowUs * size;
	return times;
}

/** A record of one bit check over 4,000 rows: changed rows by batch size. */
export function checked(
	t: { after(action: () => void): void },
	model: string,
	changed: Readonly<Record<number, number>>,
	{ distinctScores = 3997, maxAbs = 2.086e-7 }: { readonly distinctScores?: number; readonly maxAbs?: number } = {},
): Source {
	const { record, startId } = emptyRecord(t);
	record.addBitCheck({
		startId,
		model,
		modelSha256: `hash of ${model}`,
		threads: 1,
		rows: 4000,
		distinctScores,
		identical: Object.values(changed).every((rows) => rows === 0),
		sizes: Object.entries(changed).map(([size, differingRows]) => ({
			size: Number(size),
			differingRows,
			maxUlp: differingRows === 0 ? 0 : 2,
			maxAbs: differingRows === 0 ? 0 : maxAbs,
		})),
	});
	return { record };
}

/** What is shown while `say` runs, as a reader without a notebook sees it. */
export function heard(say: () => void): string {
	const written: string[] = [];
	const { write } = process.stdout;
	process.stdout.write = (text: string | Uint8Array) => {
		written.push(String(text));
		return true;
	};
	try {
		say();
	} finally {
		process.stdout.write = write;
	}
	return written.join("");
}
