import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { CsvError, parse } from "csv-parse";
import { CodedError, hasCode } from "../base/index.js";
import { type CompactFormat, type InvoiceCollector, linesFormat, malformed, ordersFormat } from "./formats.js";
import type { Invoice, Shop, TaskOptions } from "./types.js";

const FORMATS = [ordersFormat, linesFormat];
const EXPECTED = `expected a CSV file, plain or gzipped, whose first line is ${FORMATS.map(({ header }) => `"${header.join(",")}"`).join(" or ")}`;
/** Longer than any row of either file; keeps a foreign file without line ends out of memory. */
const MAX_ROW_BYTES = 4096;

function foreign(file: string, what: string): CodedError {
	return new CodedError("FOREIGN_DATA_FILE", `${file} ${what}; ${EXPECTED}`, {
		hint: "retail-orders.csv.gz is enough; retail-lines.csv.gz gives the same shop",
	});
}

/** Size and kind of a file, from its first bytes and not from its name. */
async function inspect(file: string): Promise<{ bytes: number; gzipped: boolean }> {
	const handle = await open(file, "r");
	try {
		const stat = await handle.stat();
		if (!stat.isFile()) throw foreign(file, "is not a file");
		if (stat.size === 0) throw foreign(file, "is empty");
		const head = Buffer.alloc(4);
		await handle.read(head, 0, 4, 0);
		if (head.toString("latin1") === "PK\u0003\u0004") throw foreign(file, "is a ZIP archive or an Excel workbook");
		return { bytes: stat.size, gzipped: head[0] === 0x1f && head[1] === 0x8b };
	} finally {
		await handle.close();
	}
}

/** Hashes and counts the bytes on their way; the count is the progress, since nobody knows the number of rows before the end. */
function meter(
	file: string,
	total: number,
	hash: ReturnType<typeof createHash>,
	onProgress: TaskOptions["onProgress"],
) {
	let done = 0;
	return new Transform({
		transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback) {
			hash.update(chunk);
			done += chunk.length;
			onProgress?.({ done, total, text: `reading ${basename(file)}` });
			callback(null, chunk);
		},
	});
}

function explain(error: unknown, file: string, lastLine: number): unknown {
	if (error instanceof CodedError || !(error instanceof Error)) return error;
	if (error.name === "AbortError")
		return new CodedError("INTERRUPTED", "the import was interrupted; the shop in use is unchanged", {
			exitCode: 130,
			cause: error,
		});
	// An open quote swallows line after line: the fault lies where the record begins, not where the parser gave up.
	if (error instanceof CsvError)
		return lastLine === 0 ? foreign(file, "has no header line") : malformed(lastLine + 1, `not CSV (${error.code})`);
	if (!hasCode(error)) return error;
	if (error.code === "ENOENT")
		return new CodedError("DATA_FILE_MISSING", `no data file at ${file}`, {
			hint: "give the path of retail-orders.csv.gz or retail-lines.csv.gz",
			cause: error,
		});
	if (error.code === "Z_BUF_ERROR" || error.code === "Z_DATA_ERROR")
		return new CodedError("DAMAGED_DATA_FILE", `${file} is cut short or damaged (gzip: ${error.message})`, {
			hint: "fetch the file again; the shop in use is unchanged",
			cause: error,
		});
	return new CodedError("DATA_FILE_UNREADABLE", `${file} cannot be read: ${error.message}`, { cause: error });
}

/**
 * Reads the real shop from one of its two compact files – orders or lines, told apart by the header; plain or gzipped.
 * Streams: memory grows with the invoices, not with the lines. Progress counts the file's bytes.
 *
 * @throws {CodedError} `DATA_FILE_MISSING`, `DATA_FILE_UNREADABLE`, `FOREIGN_DATA_FILE`, `DAMAGED_DATA_FILE`,
 *   `MALFORMED_ROW` with line number, field and value, `INTERRUPTED`.
 */
export async function importShop(file: string, { onProgress, signal }: TaskOptions = {}): Promise<Shop> {
	const hash = createHash("sha256");
	let format: CompactFormat | undefined;
	let collector: InvoiceCollector | undefined;
	let lastLine = 0;
	let rows = 0;
	const take = (fields: readonly string[], line: number): void => {
		if (collector !== undefined) {
			rows++;
			collector.add(fields, line);
			return;
		}
		format = FORMATS.find(({ header }) => header.join(",") === fields.join(","));
		if (format === undefined) throw foreign(file, `starts with ${JSON.stringify(fields.join(",").slice(0, 60))}`);
		collector = format.collect();
	};
	const parser = parse({
		bom: true,
		relax_column_count: true,
		skip_empty_lines: true,
		max_record_size: MAX_ROW_BYTES,
		on_record: (fields: string[], { lines }) => {
			take(fields, lines);
			lastLine = lines;
			return null;
		},
	});
	let invoices: Invoice[];
	try {
		const { bytes, gzipped } = await inspect(file);
		const source = [createReadStream(file), meter(file, bytes, hash, onProgress), ...(gzipped ? [createGunzip()] : [])];
		await pipeline([...source, parser.resume()], signal === undefined ? {} : { signal });
		if (rows === 0) throw foreign(file, "has no rows");
		invoices = collector?.finish() ?? [];
	} catch (error) {
		throw explain(error, file, lastLine);
	}
	return { origin: { source: "imported", format: format?.name ?? "orders", sha256: hash.digest("hex") }, invoices };
}
