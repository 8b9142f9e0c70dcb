import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { CodedError, MORE_PATIENCE, startLimitMs } from "../base/index.js";
import type { DrawReply, DrawRequest } from "./drawing-process.js";
import type { Figure } from "./figure.js";

/** How long the drawing process stays for the next chart of a cell; it costs 200 MB while it does, and no CPU. */
const LINGER_MS = 1000;

interface Waiting {
	readonly resolve: (svg: string) => void;
	readonly reject: (error: Error) => void;
}

/** One drawing process and those who wait for it. */
class Drawer {
	readonly #child: ChildProcess;
	readonly #waiting = new Map<number, Waiting>();
	#next = 0;
	#linger: NodeJS.Timeout | undefined;
	/** True once it takes no more figures. */
	closed = false;

	constructor() {
		this.#child = fork(fileURLToPath(new URL("./drawing-process.js", import.meta.url)), {
			execArgv: ["--max-old-space-size=512"],
			stdio: ["ignore", "ignore", "ignore", "ipc"],
			serialization: "advanced",
		});
		this.#child.on("message", (reply: DrawReply) => this.#answer(reply));
		this.#child.once("error", (error) => this.#fail(`could not start: ${error.message}`));
		this.#child.once("exit", (code, signal) => this.#fail(`ended (${signal ?? code})`));
	}

	draw(figure: Figure, limitMs: number): Promise<string> {
		clearTimeout(this.#linger);
		const id = this.#next++;
		this.#child.ref();
		this.#child.channel?.ref();
		return new Promise((resolve, reject) => {
			// A chart takes 0.1 s and the start 1–2 s; on a crowded machine ten times that, on a slow one what its owner allows.
			const timer = setTimeout(() => {
				this.#fail(`gave no picture within ${limitMs / 1000} s`, MORE_PATIENCE);
				this.#child.kill("SIGKILL");
			}, limitMs);
			const done =
				<T>(action: (value: T) => void) =>
				(value: T) => {
					clearTimeout(timer);
					action(value);
				};
			this.#waiting.set(id, { resolve: done(resolve), reject: done(reject) });
			const request: DrawRequest = { id, figure };
			this.#child.send(request);
		});
	}

	close(): void {
		this.closed = true;
		clearTimeout(this.#linger);
		if (this.#child.connected) this.#child.disconnect();
	}

	#answer(reply: DrawReply): void {
		const waiting = this.#waiting.get(reply.id);
		this.#waiting.delete(reply.id);
		if ("svg" in reply) waiting?.resolve(reply.svg);
		else
			waiting?.reject(
				new CodedError("CHART_FAILED", `Plotly could not draw the chart: ${reply.error}`, { exitCode: 1 }),
			);
		if (this.#waiting.size > 0) return;
		this.#child.unref();
		this.#child.channel?.unref();
		this.#linger = setTimeout(() => this.close(), LINGER_MS);
		this.#linger.unref();
	}

	#fail(why: string, hint = "it needs about 200 MB of memory; without it every number is still in the record"): void {
		this.closed = true;
		const error = new CodedError("CHART_FAILED", `the process that draws charts ${why}`, { exitCode: 1, hint });
		for (const { reject } of this.#waiting.values()) reject(error);
		this.#waiting.clear();
	}
}

let drawer: Drawer | undefined;

/**
 * Draws a figure as an SVG text of 4–12 KB, in a process of its own that ends a second after the last chart: Plotly
 * needs a page, a page needs jsdom, and neither has a place in a process that measures. The same figure gives the same
 * text.
 *
 * @throws {CodedError} `CHART_FAILED`, `BAD_ENVIRONMENT`
 */
export async function drawSvg(figure: Figure): Promise<string> {
	const limitMs = startLimitMs();
	if (drawer === undefined || drawer.closed) drawer = new Drawer();
	return drawer.draw(figure, limitMs);
}

/** Ends the drawing process at once, before something is timed. */
export function stopDrawing(): void {
	drawer?.close();
	drawer = undefined;
}
