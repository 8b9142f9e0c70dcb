import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { executeNotebook, formatNotebook, Kernel, readNotebook } from "batching-lab/notebook";

const program = fileURLToPath(new URL("../../../lib/bin/workbook.js", import.meta.url));
const nobody = { onMessage: () => {}, onRawOutput: () => {}, onUnseenError: () => {} };

export interface NotebookTimes {
	/** Start, cells and end. */
	readonly wholeMs: number;
	/** From the kernel's readiness until the last cell is done, and saved where there is something to save. */
	readonly cellsMs: number;
}

/** Writes a notebook of so many code cells and returns its path. */
export function newNotebook(path: string, count: number, source: (index: number) => string): string {
	const cells = Array.from({ length: count }, (_, index) => ({
		cell_type: "code" as const,
		id: `c${index}`,
		metadata: {},
		source: source(index),
		execution_count: null,
		outputs: [],
	}));
	const kernelspec = { name: "tslab", display_name: "TypeScript", language: "typescript" };
	writeFileSync(path, formatNotebook({ cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 }));
	return path;
}

/** A kernel that is only asked: nothing is kept, written or drawn. */
export class BareKernel {
	readonly #kernel: Kernel;

	private constructor(kernel: Kernel) {
		this.#kernel = kernel;
	}

	static async start(cwd: string): Promise<BareKernel> {
		return new BareKernel(await Kernel.start({ cwd }, nobody));
	}

	static async times(notebook: string): Promise<NotebookTimes> {
		const { cells } = await readNotebook(notebook);
		const startedMs = performance.now();
		const bare = await BareKernel.start(dirname(notebook));
		const readyMs = performance.now();
		for (const cell of cells) await bare.#kernel.execute(cell.source, () => {});
		const cellsMs = performance.now() - readyMs;
		await bare.end();
		return { wholeMs: performance.now() - startedMs, cellsMs };
	}

	get pid(): number {
		return this.#kernel.pid;
	}

	async end(): Promise<void> {
		await this.#kernel.shutdown();
	}
}

/** CPU time of a process in so many seconds, in milliseconds. Looks away for a second first. */
export async function idleCpuMs(pid: number, seconds: number): Promise<number> {
	const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
	await sleep(1_000);
	const before = cpuMs(pid);
	await sleep(seconds * 1_000);
	return cpuMs(pid) - before;
}

/** Nanoseconds on a CPU are the first field of `schedstat`; `stat` counts in steps of 10 ms. */
function cpuMs(pid: number): number {
	const threads = readdirSync(`/proc/${pid}/task`);
	const ns = threads.map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]));
	return ns.reduce((sum, value) => sum + value, 0) / 1e6;
}

export async function timesOfRunner(source: string, target: string): Promise<NotebookTimes> {
	let [readyMs, savedMs] = [0, 0];
	const startedMs = performance.now();
	const { failure } = await executeNotebook(source, target, {
		hooks: {
			onKernelReady: () => {
				readyMs = performance.now();
			},
			onSaved: () => {
				savedMs = performance.now();
			},
		},
	});
	if (failure !== undefined) throw new Error(failure.message);
	return { wholeMs: performance.now() - startedMs, cellsMs: savedMs - readyMs };
}

/** Tells the highest resident set of the command, not of the kernel or of whatever else it starts. */
const TELL_MEMORY = `
import { readFileSync, writeFileSync } from "node:fs";
if (process.argv[1]?.endsWith("workbook.js")) process.on("exit", () => {
  const peak = /VmHWM:\\s+(\\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"));
  writeFileSync(process.env.BENCH_MEMORY_FILE, peak[1]);
});`;

export function secondsInRunner(
	notebook: string,
	out: string,
): { readonly seconds: number; readonly memoryMb: number; readonly copyMb: number } {
	const told = join(dirname(notebook), "memory");
	const hook = `data:text/javascript,${encodeURIComponent(TELL_MEMORY)}`;
	const env = { ...process.env, NODE_OPTIONS: `--import ${hook}`, BENCH_MEMORY_FILE: told };
	const startedMs = performance.now();
	execFileSync(process.execPath, [program, "run", notebook, "--out", out], { env, stdio: "ignore" });
	const seconds = (performance.now() - startedMs) / 1_000;
	const copyMb = statSync(join(out, basename(notebook))).size / 1e6;
	return { seconds, memoryMb: (Number(readFileSync(told, "utf8")) * 1_024) / 1e6, copyMb };
}

const NBCLIENT = `
import nbformat, sys
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=600, kernel_name="tslab").execute()
nbformat.write(notebook, sys.argv[2])`;

/** `prefix/` of the folder must have the kernel. */
export function secondsInNbclient(python: string, notebook: string, folder: string): number {
	const env = { ...process.env, JUPYTER_PATH: join(folder, "prefix", "share", "jupyter") };
	const startedMs = performance.now();
	execFileSync(python, ["-c", NBCLIENT, notebook, join(folder, "nbclient.ipynb")], { env, stdio: "ignore" });
	return (performance.now() - startedMs) / 1_000;
}
