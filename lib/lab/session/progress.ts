import { appendFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
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
}

export function createProgress(record: RecordWriter, startId: number, options: ProgressOptions): Progress {
	const { folder, onProgress = () => {}, console: device = process.env.BATCHING_LAB_CONSOLE } = options;
	return {
		remark: onProgress,
		line(event) {
			onProgress({ ...event, stays: true });
			record.addProgress(startId, event.text);
			appendFileSync(join(folder, "progress.log"), `${new Date().toISOString()} ${event.text}\n`);
			// a console that is slow, full or gone must not stop a measurement
			if (device) void appendFile(device, `${CONSOLE_MARK} ${event.text}\n`).catch(() => {});
		},
	};
}
