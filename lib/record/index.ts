/** The record file of a laboratory: schema, writer, reader. Imports no other room. */
import { createDatabase, openDatabase } from "./open.js";
import { RecordReader } from "./reader.js";
import { RecordWriter } from "./writer.js";

export { RecordError } from "./errors.js";
export * from "./facts.js";
export type { Row } from "./rows.js";
export * from "./runs.js";
export { APPLICATION_ID, SCHEMA_VERSION } from "./schema.js";
export type { OpenRun } from "./writer.js";
export { RecordReader, RecordWriter };

/**
 * Makes a record at `path`, and its folder: an empty one, or one that holds from its first moment on what `fill` writes.
 *
 * @throws {RecordError} `RECORD_EXISTS`, `DISK_FULL`
 */
export function createRecord(path: string, fill: (record: RecordWriter) => void = () => {}): RecordWriter {
	return new RecordWriter(
		createDatabase(path, (database) => fill(new RecordWriter(database, path))),
		path,
	);
}

/**
 * Opens the record at `path`: for reading, or with `{ readonly: false }` for writing.
 *
 * @throws {RecordError} `RECORD_MISSING`, `NOT_A_RECORD`, `RECORD_VERSION`, `RECORD_CORRUPT`, `RECORD_BUSY`,
 *   `RECORD_FORBIDDEN`
 */
export function openRecord(path: string, options?: { readonly readonly?: true }): RecordReader;
export function openRecord(path: string, options: { readonly readonly: false }): RecordWriter;
export function openRecord(path: string, { readonly = true }: { readonly readonly?: boolean } = {}): RecordReader {
	const database = openDatabase(path, readonly);
	return readonly ? new RecordReader(database, path) : new RecordWriter(database, path);
}
