/**
 * What the notebook runner costs beside its kernel, and the same notebook under nbclient. All runs of a comparison take
 * turns, and the median over the turns is held against the stated number; with --check a missed one means exit code 1.
 *
 * - a cell: from kernel ready to the last save, less what the same kernel takes for the bare requests, by the cells
 * - a notebook: from call to result, less the bare kernel's start, cells and end
 * - an idle kernel: CPU time of all its threads in 10 s
 * - memory: the highest resident set of the process `workbook run`, against 100 MB and 5 times its executed copy
 * - nbclient: the whole command `workbook run` (which also saves after every cell and writes a page) against a script
 *   that does no more than read, execute and write
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installKernelspecs } from "batching-lab/notebook";
import { pythonEnvironment } from "../frontends/support.js";
import {
	BareKernel,
	idleCpuMs,
	newNotebook,
	secondsInNbclient,
	secondsInRunner,
	timesOfRunner,
} from "./_notebook-runs.js";

const CELLS = 40;
const TURNS = 5;
const folder = mkdtempSync(join(tmpdir(), "workbook-bench-"));
const missed: string[] = [];

function row(what: string, value: number, unit: string, limit?: number): void {
	const bad = limit !== undefined && !(value <= limit);
	if (bad) missed.push(what);
	const held = limit === undefined ? "" : `  (≤ ${limit.toFixed(1)}${bad ? ", MISSED" : ""})`;
	console.log(`${what.padEnd(58)} ${value.toFixed(2).padStart(9)} ${unit}${held}`);
}

function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	const upper = sorted[middle] ?? Number.NaN;
	return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

try {
	const small = newNotebook(
		join(folder, "small.ipynb"),
		CELLS,
		(index) => `const value${index}: number = ${index};\nconsole.log(value${index});`,
	);
	const large = newNotebook(join(folder, "large.ipynb"), 4, (index) => `console.log("${index}".repeat(2_500_000));`);
	const kernel = await BareKernel.start(folder);
	const idleMs = await idleCpuMs(kernel.pid, 10);
	await kernel.end();

	const [perCellMs, perNotebookMs, bareCellMs]: [number[], number[], number[]] = [[], [], []];
	for (let turn = 0; turn < TURNS; turn++) {
		const bare = await BareKernel.times(small);
		const runner = await timesOfRunner(small, join(folder, "out", "small.ipynb"));
		bareCellMs.push(bare.cellsMs / CELLS);
		perCellMs.push((runner.cellsMs - bare.cellsMs) / CELLS);
		perNotebookMs.push(runner.wholeMs - bare.wholeMs);
	}
	row("kernel's own time a cell", median(bareCellMs), "ms");
	row("runner over the kernel, a cell", median(perCellMs), "ms", 50);
	row("runner over the kernel, a notebook", median(perNotebookMs) / 1_000, "s", 3);
	row("idle kernel's CPU in 10 s", idleMs, "ms", 5);

	await installKernelspecs({ prefix: join(folder, "prefix") });
	const python = join(await pythonEnvironment(), "python");
	const [ours, theirs]: [number[], number[]] = [[], []];
	for (let turn = 0; turn < TURNS; turn++) {
		const one = secondsInRunner(small, join(folder, "command"));
		ours.push(one.seconds);
		if (turn === 0) row("memory of workbook run, a small notebook", one.memoryMb, "MB", 100 + 5 * one.copyMb);
		theirs.push(secondsInNbclient(python, small, folder));
	}
	const two = secondsInRunner(large, join(folder, "command"));
	row(`memory of workbook run, a copy of ${two.copyMb.toFixed(1)} MB`, two.memoryMb, "MB", 100 + 5 * two.copyMb);
	row("the notebook under nbclient", median(theirs), "s");
	row("the notebook under workbook run", median(ours), "s", median(theirs));
} finally {
	rmSync(folder, { recursive: true, force: true });
}
if (missed.length > 0 && process.argv.includes("--check")) process.exitCode = 1;
