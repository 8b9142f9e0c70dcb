/**
 * The rows as SQLite gives them, checked on the way out: a record may be older, foreign or damaged, and a typed reader
 * that lies is worse than an error.
 */
import { RecordError } from "./errors.js";

export type Row = Readonly<Record<string, unknown>>;

export function isRow(value: unknown): value is Row {
	return typeof value === "object" && value !== null;
}

function wrong(row: Row, name: string, expected: string): RecordError {
	return new RecordError("RECORD_CORRUPT", `field ${name} is ${String(row[name])}; ${expected} was expected`, {
		exitCode: 1,
	});
}

export function text(row: Row, name: string): string {
	const value = row[name];
	if (typeof value !== "string") throw wrong(row, name, "text");
	return value;
}

export function num(row: Row, name: string): number {
	const value = row[name];
	if (typeof value !== "number") throw wrong(row, name, "a number");
	return value;
}

export function flag(row: Row, name: string): boolean {
	return num(row, name) !== 0;
}

export function bytes(row: Row, name: string): Uint8Array {
	const value = row[name];
	if (!(value instanceof Uint8Array)) throw wrong(row, name, "bytes");
	return value;
}

/** `read` unless the field is NULL. */
export function maybe<T>(row: Row, name: string, read: (row: Row, name: string) => T): T | null {
	return row[name] === null || row[name] === undefined ? null : read(row, name);
}

/** One of a fixed list of words. */
export function word<T extends string>(...words: readonly T[]): (row: Row, name: string) => T {
	return (row, name) => {
		const found = words.find((candidate) => candidate === row[name]);
		if (found === undefined) throw wrong(row, name, `one of ${words.join(", ")}`);
		return found;
	};
}

/** A JSON field, whose shape this module wrote itself; the type is the writer's promise. */
export function json<T>(row: Row, name: string): T {
	try {
		const value: T = JSON.parse(text(row, name));
		return value;
	} catch (cause) {
		throw new RecordError("RECORD_CORRUPT", `field ${name} is no JSON`, { cause, exitCode: 1 });
	}
}
