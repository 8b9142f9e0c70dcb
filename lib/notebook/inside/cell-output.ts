import { StringDecoder } from "node:string_decoder";
import type { CellError } from "./cell-error.js";
import type { WriteDisplay, WriteStream } from "./tslab.js";

/** Taken before any cell runs: a cell may put fake timers in place. */
const later = setImmediate;

type StreamName = "stdout" | "stderr";

/** A message is at most this many characters: a client can cut a 50 MB line without holding all of it. */
const MAX_MESSAGE_LENGTH = 1 << 18;
/** While a cell keeps writing, what it wrote leaves at least this often, also from a loop that never yields. */
const FLUSH_EVERY_MS = 50;

/** The request that runs a cell, and the way to publish what tslab does not: the cell's input, and its error. */
export interface ExecuteRequest {
	readonly id: string;
	readonly publish: (type: "execute_input" | "error", content: unknown) => void;
}

/**
 * What one cell shows. Writes that follow each other closely leave as one message, since a front end that gets
 * thousands of small ones a second starts to drop them; the order of text and displays stays.
 */
export class CellOutput {
	/** What the cell threw, as far as the kernel has told. */
	error: CellError | undefined;
	/** Set when the cell threw where nobody was waiting for it. */
	unseen: CellError | undefined;
	running = true;
	readonly request: ExecuteRequest;
	readonly #stream: WriteStream;
	readonly #display: WriteDisplay;
	readonly #decoders: Record<StreamName, StringDecoder> = { stdout: new StringDecoder(), stderr: new StringDecoder() };
	#name: StreamName = "stdout";
	#pending = "";
	#flushedMs = 0;
	#scheduled = false;

	constructor(request: ExecuteRequest, stream: WriteStream, display: WriteDisplay) {
		this.request = request;
		this.#stream = stream;
		this.#display = display;
	}

	write(name: StreamName, chunk: string | Uint8Array): void {
		const text = typeof chunk === "string" ? chunk : this.#decoders[name].write(Buffer.from(chunk));
		if (text === "") return;
		if (name !== this.#name) this.flush();
		this.#name = name;
		this.#pending += text;
		if (this.#pending.length >= MAX_MESSAGE_LENGTH || performance.now() - this.#flushedMs > FLUSH_EVERY_MS) {
			this.flush();
		} else if (!this.#scheduled) {
			this.#scheduled = true;
			later(() => {
				this.#scheduled = false;
				this.flush();
			});
		}
	}

	display(message: unknown, update: boolean): void {
		this.flush();
		this.#display(message, update);
	}

	flush(): void {
		const text = this.#pending;
		this.#pending = "";
		for (let start = 0; start < text.length; ) {
			const end = cutBefore(text, start + MAX_MESSAGE_LENGTH);
			this.#stream(this.#name, text.slice(start, end));
			start = end;
		}
		this.#flushedMs = performance.now();
	}
}

/** The largest cut up to `end` that does not fall inside a surrogate pair. */
function cutBefore(text: string, end: number): number {
	if (end >= text.length) return text.length;
	const last = text.charCodeAt(end - 1);
	return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
