import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RecordWriter } from "../../record/index.js";

/** What a long task tells the person waiting for it. */
export interface ProgressEvent {
	readonly done: number;
	readonly total: number;
	/** What is going on now, one short phrase; or the line of a run that is finished. */
	readonly text: string;
	/** True for a line to keep: a finished run, the time plan. Anything else is about this moment. */
	readonly stays?: boolean;
}
export type OnProgress = (event: ProgressEvent) => void;

/** Goes before every line on the serial console, so that it can be found among the system's own. */
export const CONSOLE_MARK = "BATCHING-PROGRESS";

const FLUSH_MS = 2000;

export interface ProgressOptions {
	readonly folder: string;
	readonly onProgress?: OnProgress;
	/** A device or file that gets every line too: the serial console of a rented box. Default: `BATCHING_LAB_CONSOLE`. */
	readonly console?: string;
}

/** Says each line to everybody who listens. */
export interface Progress {
	/** A passing remark: only the person waiting hears it. */
	readonly remark: OnProgress;
	/** A line that stays: the person waiting, the record, `progress.log` and the serial console. */
	readonly line: OnProgress;
	/** Resolves when every line is where it belongs, or after 2 s: a console may hang for ever. */
	readonly flush: () => Promise<void>;
}

export function createProgress(record: RecordWriter, startId: number, options: ProgressOptions): Progress {
	const { folder, onProgress = () => {}, console: device = process.env.BATCHING_LAB_CONSOLE } = options;
	let written = Promise.resolve();
	return {
		flush: () => Promise.race([written, sleep(FLUSH_MS, undefined, { ref: false })]),
		remark: onProgress,
		line(event) {
			onProgress({ ...event, stays: true });
			record.addProgress(startId, event.text);
			// the record has the line; a log or a console that is full, slow or gone must not stop a measurement
			const lines = [{ file: join(folder, "progress.log"), text: `${new Date().toISOString()} ${event.text}\n` }];
			if (device) lines.push({ file: device, text: `${CONSOLE_MARK} ${event.text}\n` });
			for (const { file, text } of lines) written = written.then(() => appendFile(file, text)).catch(() => {});
		},
	};
}
