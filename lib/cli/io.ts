import { SingleBar } from "cli-progress";
import { CodedError } from "../base/index.js";

/** What a long task tells the person waiting for it. */
export interface ProgressEvent {
	readonly done: number;
	readonly total: number;
	/** What is going on now, one short phrase. */
	readonly text: string;
}

export interface Progress {
	/** A bar on a terminal; elsewhere one line whenever `text` changes. Always on standard error. */
	readonly update: (event: ProgressEvent) => void;
	/** A line of its own that stays. */
	readonly line: (text: string) => void;
	readonly stop: () => void;
}

export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
	if (!stream.isTTY) {
		let last = "";
		return {
			update({ text }) {
				if (text !== last) stream.write(`${text}\n`);
				last = text;
			},
			line: (text) => void stream.write(`${text}\n`),
			stop: () => {},
		};
	}
	const bar = new SingleBar({
		format: "{bar} {percentage}% {eta_formatted} left  {text}",
		stream,
		clearOnComplete: true,
		hideCursor: true,
		noTTYOutput: false,
	});
	let running = false;
	const stop = () => {
		if (running) bar.stop();
		running = false;
	};
	return {
		update({ done, total, text }) {
			if (!running) bar.start(total, done, { text });
			running = true;
			bar.setTotal(total);
			bar.update(done, { text });
		},
		line(text) {
			stop();
			stream.write(`${text}\n`);
		},
		stop,
	};
}

/** `--json`: one object on standard output and nothing else there. */
export function writeJson(value: unknown): void {
	process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export interface NumberRange {
	readonly min?: number;
	readonly max?: number;
	readonly integer?: boolean;
}

/** An argument parser for commander: a number in a range, or a clear error. */
export function numberOption(
	name: string,
	{ min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, integer = false }: NumberRange = {},
) {
	return (text: string): number => {
		const value = Number(text);
		if (
			text.trim() === "" ||
			!Number.isFinite(value) ||
			value < min ||
			value > max ||
			(integer && !Number.isInteger(value))
		) {
			const kind = integer ? "a whole number" : "a number";
			const range =
				Number.isFinite(min) && Number.isFinite(max)
					? ` from ${min} to ${max}`
					: Number.isFinite(min)
						? ` of at least ${min}`
						: Number.isFinite(max)
							? ` of at most ${max}`
							: "";
			throw new CodedError("BAD_OPTION", `${name} takes ${kind}${range}, got "${text}"`);
		}
		return value;
	};
}

/** A comma list whose items go through `parse`; empty items are refused. */
export function listOption<T>(name: string, parse: (text: string) => T) {
	return (text: string): T[] =>
		text.split(",").map((item) => {
			if (item.trim() === "")
				throw new CodedError("BAD_OPTION", `${name} takes a comma list without empty items, got "${text}"`);
			return parse(item.trim());
		});
}
