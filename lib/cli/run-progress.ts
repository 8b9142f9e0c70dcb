import { basename, relative } from "node:path";
import { SingleBar } from "cli-progress";
import { type CellEvent, type CodeCell, clock, type RunHooks, type RunPlan, TimeLeft } from "../notebook/index.js";

export interface RunProgress {
	readonly hooks: RunHooks;
	readonly onPlan: (plan: RunPlan) => void;
	readonly stop: () => void;
}

/** Which cell runs, for how long, and how much is left: a bar on a terminal, a line for every cell elsewhere. */
export function createRunProgress(stream: NodeJS.WriteStream = process.stderr): RunProgress {
	const startedMs = performance.now();
	const names: string[] = [];
	let left = new TimeLeft([]);
	let totalCells = 0;
	let doneCells = 0;
	let cellStartedMs = startedMs;
	let running: { readonly event: CellEvent; readonly cell: CodeCell } | undefined;
	const bar = stream.isTTY ? newBar(stream) : undefined;
	let ticker: NodeJS.Timeout | undefined;

	const status = (): string => {
		const nowMs = performance.now();
		const leftMs = left.leftMs(nowMs - cellStartedMs, running?.cell);
		const rest = leftMs === undefined ? "" : `, about ${clock(leftMs)} left`;
		const where =
			running === undefined
				? ""
				: `${nameOf(running.event.source)}: cell ${running.event.cellNumber} of ${running.event.cells}, `;
		return `${where}${clock(nowMs - startedMs)} elapsed${rest}`;
	};
	const draw = () => bar?.update(doneCells, { text: status() });
	const line = (text: string) => {
		bar?.stop();
		stream.write(`${text}\n`);
		bar?.start(totalCells, doneCells, { text: status() });
	};

	const hooks: RunHooks = {
		onNotebookStart({ source }) {
			left.notebookStarted(names.indexOf(source));
			cellStartedMs = performance.now();
		},
		onCellStart(event) {
			running = { event, cell: event.cell };
			cellStartedMs = performance.now();
			if (bar === undefined) stream.write(`${status()}\n`);
			draw();
		},
		onCellEnd({ durationMs }) {
			doneCells++;
			running = undefined;
			left.cellEnded(durationMs);
			draw();
		},
		onNotebookEnd({ source, target, status: how, durationMs }) {
			line(
				`${nameOf(source)}: ${how} in ${clock(durationMs)}, ${relative(process.cwd(), target.replace(/\.ipynb$/, ".html"))}`,
			);
		},
	};
	return {
		hooks,
		onPlan({ notebooks, finished }) {
			for (const source of finished) stream.write(`${nameOf(source)}: finished before\n`);
			names.push(...notebooks.map(({ source }) => source));
			left = new TimeLeft(notebooks);
			totalCells = notebooks.reduce((sum, { cellIds }) => sum + cellIds.length, 0);
			if (bar === undefined) return;
			bar.start(totalCells, 0, { text: status() });
			ticker = setInterval(draw, 1_000);
		},
		stop() {
			clearInterval(ticker);
			bar?.stop();
		},
	};
}

function newBar(stream: NodeJS.WriteStream): SingleBar {
	return new SingleBar({
		format: "{bar} {text}",
		stream,
		clearOnComplete: true,
		hideCursor: true,
		noTTYOutput: false,
		barsize: 20,
	});
}

function nameOf(source: string): string {
	return basename(source, ".ipynb");
}
