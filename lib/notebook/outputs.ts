import type { CodeCell, DisplayOutput, ResultOutput, StreamOutput } from "./format.js";
import type { Message } from "./wire.js";

type RichOutput = DisplayOutput | ResultOutput;

/** What one cell has been given so far. */
interface CellRecord {
	readonly cell: CodeCell;
	/** stderr has a budget of its own, so that a flood on stdout cannot hide the error behind it. */
	readonly used: { normal: number; stderr: number };
	leftOut: number;
	note?: StreamOutput;
	/** `clear_output` with `wait`: the next output replaces everything. */
	clearNext: boolean;
}

/**
 * Puts what a kernel publishes into the cells it belongs to, by the request that caused it: also what arrives after the
 * cell's end, while others run. A cell keeps at most `maxCharacters`; a note says how much was left out.
 */
export class NotebookOutputs {
	readonly #records = new Map<string, CellRecord>();
	readonly #displays = new Map<string, RichOutput[]>();
	readonly #maxCharacters: number;

	constructor(maxCharacters: number) {
		this.#maxCharacters = maxCharacters;
	}

	/** From now on, messages caused by `requestId` belong to `cell`. */
	open(requestId: string, cell: CodeCell): void {
		cell.outputs = [];
		this.#records.set(requestId, { cell, used: { normal: 0, stderr: 0 }, leftOut: 0, clearNext: false });
	}

	/** The cell the request ran, if it was one. */
	cellOf(requestId: string): CodeCell | undefined {
		return this.#records.get(requestId)?.cell;
	}

	/** Takes one message and returns the cell it changed, if it changed one. */
	add(requestId: string, message: Message): CodeCell | undefined {
		const record = this.#records.get(requestId);
		if (record === undefined) return undefined;
		const { content } = message;
		switch (message.header.msg_type) {
			case "stream":
				this.addText(requestId, content.name === "stderr" ? "stderr" : "stdout", String(content.text));
				break;
			case "display_data":
				this.#addRich(record, { output_type: "display_data", ...richContent(content) }, displayId(content));
				break;
			case "execute_result": {
				const count = typeof content.execution_count === "number" ? content.execution_count : null;
				this.#addRich(
					record,
					{ output_type: "execute_result", execution_count: count, ...richContent(content) },
					displayId(content),
				);
				break;
			}
			case "update_display_data":
				for (const output of this.#displays.get(displayId(content) ?? "") ?? [])
					Object.assign(output, richContent(content));
				break;
			case "error":
				this.#room(record);
				record.cell.outputs.push({
					output_type: "error",
					ename: String(content.ename),
					evalue: String(content.evalue),
					traceback: Array.isArray(content.traceback) ? content.traceback.map(String) : [],
				});
				break;
			case "clear_output":
				if (content.wait === true) record.clearNext = true;
				else record.cell.outputs = [];
				break;
			default:
				return undefined;
		}
		return record.cell;
	}

	/** Text of a stream; pieces of one stream that follow each other become one output. */
	addText(requestId: string, name: "stdout" | "stderr", text: string): CodeCell | undefined {
		const record = this.#records.get(requestId);
		if (record === undefined) return undefined;
		this.#room(record);
		const kept = text.slice(0, this.#take(record, name === "stderr" ? "stderr" : "normal", text.length, true));
		if (kept === "") return record.cell;
		const { outputs } = record.cell;
		const last = outputs.at(record.note === undefined ? -1 : -2);
		if (last?.output_type === "stream" && last.name === name) last.text += kept;
		else
			outputs.splice(record.note === undefined ? outputs.length : -1, 0, { output_type: "stream", name, text: kept });
		return record.cell;
	}

	#addRich(record: CellRecord, output: RichOutput, id: string | undefined): void {
		this.#room(record);
		const size = JSON.stringify(output.data).length;
		if (this.#take(record, "normal", size, false) < size) return;
		record.cell.outputs.push(output);
		if (id !== undefined) this.#displays.set(id, [...(this.#displays.get(id) ?? []), output]);
	}

	#room(record: CellRecord): void {
		if (record.clearNext) record.cell.outputs = [];
		record.clearNext = false;
	}

	/** How many of `wanted` characters still fit; what does not is counted in the cell's note. */
	#take(record: CellRecord, budget: "normal" | "stderr", wanted: number, divisible: boolean): number {
		const free = Math.max(0, this.#maxCharacters - record.used[budget]);
		const taken = wanted <= free ? wanted : divisible ? free : 0;
		record.used[budget] += taken;
		if (taken < wanted) this.#noteCut(record, wanted - taken);
		return taken;
	}

	#noteCut(record: CellRecord, characters: number): void {
		record.leftOut += characters;
		if (record.note === undefined) {
			record.note = { output_type: "stream", name: "stderr", text: "" };
			record.cell.outputs.push(record.note);
		}
		const millions = (count: number) => `${(count / 1e6).toFixed(2)} million characters`;
		record.note.text = `[workbook: ${millions(record.leftOut)} of output left out here; a cell keeps ${millions(this.#maxCharacters)}]\n`;
	}
}

function richContent(content: Record<string, unknown>): Pick<RichOutput, "data" | "metadata"> {
	return { data: object(content.data), metadata: object(content.metadata) };
}

function displayId(content: Record<string, unknown>): string | undefined {
	const { display_id: id } = object(content.transient);
	return typeof id === "string" ? id : undefined;
}

function object(value: unknown): Record<string, unknown> {
	return typeof value === "object" && value !== null ? { ...value } : {};
}
