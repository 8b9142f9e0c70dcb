import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CodedError, hasCode } from "../base/index.js";
import type { Cell, Notebook, Output } from "./format.js";
import { isJsonMime } from "./read.js";

/**
 * A notebook as text, the way nbformat writes it: keys sorted, one space of indent, texts as lists of lines.
 * Equal notebooks give equal bytes.
 */
export function formatNotebook(notebook: Notebook): string {
	return [...notebookText(notebook)].join("");
}

/** The same, cell by cell: a copy of many megabytes is saved after every cell and need not be one string for that. */
export function* notebookText(notebook: Notebook): Generator<string> {
	const empty = `${JSON.stringify(sorted({ ...notebook, cells: [] }), null, 1)}\n`;
	if (notebook.cells.length === 0) return yield empty;
	// A line break is never part of a JSON string, so this is the notebook's own list.
	const place = empty.indexOf('\n "cells": []') + '\n "cells": ['.length;
	yield empty.slice(0, place);
	for (const [index, cell] of notebook.cells.entries()) {
		yield index === 0 ? "\n  " : ",\n  ";
		yield JSON.stringify(sorted(cellOnDisk(cell)), null, 1).replaceAll("\n", "\n  ");
	}
	yield `\n ${empty.slice(place)}`;
}

function cellOnDisk(cell: Cell): Record<string, unknown> {
	if (cell.cell_type !== "code") return { ...cell, source: lines(cell.source) };
	return { ...cell, source: lines(cell.source), outputs: cell.outputs.map(outputOnDisk) };
}

function outputOnDisk(output: Output): Record<string, unknown> {
	if (output.output_type === "stream") return { ...output, text: lines(output.text) };
	if (output.output_type === "error") return { ...output };
	const data = Object.entries(output.data).map(([mime, value]) => [mime, isSplit(mime, value) ? lines(value) : value]);
	return { ...output, data: Object.fromEntries(data) };
}

/** Base64 stays one string, as in nbformat; everything else that is text becomes lines. */
function isSplit(mime: string, value: unknown): value is string {
	const binary = /^(image|audio|video)\//.test(mime) && mime !== "image/svg+xml";
	return typeof value === "string" && !binary && mime !== "application/pdf" && !isJsonMime(mime);
}

function lines(text: string): string[] {
	return text === "" ? [] : text.split(/(?<=\n)/);
}

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== "object" || value === null) return value;
	const entries = Object.entries(value).filter(([, item]) => item !== undefined);
	entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
	return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

/**
 * Writes a file whole or not at all: a temporary file beside it, then a rename. A reader never sees half a copy, and
 * the last good one survives a full disk.
 *
 * @throws {CodedError} `OUTPUT_NOT_WRITABLE`, `DISK_FULL`.
 */
export async function saveWhole(path: string, content: string | Iterable<string>): Promise<void> {
	const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
	try {
		await writeFile(temporary, content);
		await rename(temporary, path);
	} catch (error) {
		await rm(temporary, { force: true }).catch(() => {});
		throw explained(error, path);
	}
}

/** @throws {CodedError} `OUTPUT_NOT_WRITABLE`, `DISK_FULL`. */
export async function makeFolder(path: string): Promise<void> {
	try {
		await mkdir(path, { recursive: true });
	} catch (error) {
		throw explained(error, path);
	}
}

function explained(error: unknown, path: string): unknown {
	if (!hasCode(error)) return error;
	if (error.code === "ENOSPC" || error.code === "EDQUOT") {
		return new CodedError("DISK_FULL", `no space left to write ${path}`, {
			hint: "the copy saved before is whole; free some space and continue with --resume",
			exitCode: 1,
			cause: error,
		});
	}
	// ENOENT: a folder that went away, and what Node says of a folder to be made on a read-only file system
	if (["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR", "EEXIST", "EISDIR"].includes(error.code)) {
		return new CodedError("OUTPUT_NOT_WRITABLE", `cannot write ${path}: ${error.message}`, {
			hint: "choose another folder with --out",
			cause: error,
		});
	}
	return error;
}
