/**
 * What the notebook runner costs beside its kernel: per cell and per notebook, in memory, and while the kernel idles;
 * and the same notebook under nbclient. With --check it exits 1 when a stated number is missed; with --nbclient BIN it
 * runs nbclient of the Python environment whose folder of programs BIN is.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executeNotebook, formatNotebook, installKernelspecs, Kernel } from "batching-lab/notebook";

const CELLS = 40;
const LIMITS = { msACell: 50, secondsANotebook: 3, idleCpuMs: 5, memoryMb: 100 };
const [bin] = process.argv.slice(process.argv.indexOf("--nbclient") + 1);
const folder = mkdtempSync(join(tmpdir(), "workbook-bench-"));
const missed: string[] = [];

function row(what: string, value: number, unit: string, limit?: number): void {
	const bad = limit !== undefined && value > limit;
	if (bad) missed.push(what);
	console.log(
		`${what.padEnd(58)} ${value.toFixed(1).padStart(8)} ${unit}${limit === undefined ? "" : `  (≤ ${limit}${bad ? ", MISSED" : ""})`}`,
	);
}

const source = join(folder, "cells.ipynb");
const cells = Array.from({ length: CELLS }, (_, index) => ({
	cell_type: "code" as const,
	id: `c${index}`,
	metadata: {},
	source: `const value${index}: number = ${index};\nconsole.log(value${index});`,
	execution_count: null,
	outputs: [],
}));
const kernelspec = { name: "tslab", display_name: "TypeScript", language: "typescript" };
writeFileSync(source, formatNotebook({ cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 }));

// The kernel's own time of each cell, without runner, copies or pages: the same cells asked one by one.
const events = { onMessage: () => {}, onRawOutput: () => {}, onUnseenError: () => {} };
let started = performance.now();
const kernel = await Kernel.start({ cwd: folder }, events);
const startMs = performance.now() - started;
started = performance.now();
for (const cell of cells) await kernel.execute(cell.source, () => {});
const ownMs = performance.now() - started;
const cpuTicks = () =>
	readFileSync(`/proc/${kernel.pid}/stat`, "utf8")
		.split(" ")
		.slice(13, 15)
		.map(Number)
		.reduce((a, b) => a + b, 0);
await new Promise((resolve) => setTimeout(resolve, 1_000));
const before = cpuTicks();
await new Promise((resolve) => setTimeout(resolve, 10_000));
const idleMs = (cpuTicks() - before) * 10;
await kernel.shutdown();

const durations: number[] = [];
const { durationMs, html } = await executeNotebook(source, join(folder, "out", "cells.ipynb"), {
	hooks: { onCellEnd: (event) => durations.push(event.durationMs) },
});
const inCellsMs = durations.reduce((sum, ms) => sum + ms, 0);

row("kernel's start", startMs, "ms");
row("kernel's own time a cell", ownMs / CELLS, "ms");
row("runner over the kernel, a cell (save included)", (durationMs - startMs - ownMs) / CELLS, "ms", LIMITS.msACell);
row(
	"runner over the kernel's start and cells, a notebook",
	(durationMs - startMs - inCellsMs) / 1_000,
	"s",
	LIMITS.secondsANotebook,
);
row("idle kernel's CPU in 10 s (10 ms ticks)", idleMs, "ms", LIMITS.idleCpuMs);

const script = `
	import { executeNotebook } from "batching-lab/notebook";
	await executeNotebook(process.argv[1], process.argv[2]);
	console.log(process.resourceUsage().maxRSS / 1024);`;
const other = join(folder, "out", "again.ipynb");
const said = execFileSync(process.execPath, ["--input-type=module", "--eval", script, source, other], {
	encoding: "utf8",
});
const sizeMb = (statSync(other).size + statSync(html ?? other).size) / 1e6;
row("runner's memory at its highest", Number(said), "MB", LIMITS.memoryMb + 5 * sizeMb);

if (process.argv.includes("--nbclient") && bin !== undefined) {
	await installKernelspecs({ prefix: join(folder, "prefix") });
	const env = { ...process.env, JUPYTER_PATH: join(folder, "prefix", "share", "jupyter") };
	const python = `
import nbformat, sys, time
started = time.perf_counter()
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=120, kernel_name="tslab").execute()
nbformat.write(notebook, sys.argv[2])
print(time.perf_counter() - started)`;
	const args = ["-c", python, source, join(folder, "out", "nbclient.ipynb")];
	const seconds = Number(execFileSync(join(bin, "python"), args, { env, encoding: "utf8" }));
	row("the notebook under nbclient", seconds, "s");
	row("the notebook under the runner", durationMs / 1_000, "s", seconds);
}
rmSync(folder, { recursive: true, force: true });
if (missed.length > 0 && process.argv.includes("--check")) process.exitCode = 1;
