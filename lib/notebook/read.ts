import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { CodedError, hasCode } from "../base/index.js";
import type { Cell, Notebook } from "./format.js";

const text = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(""))]);
const metadata = z.record(z.string(), z.unknown());
/** Text and JSON alike; only a list of strings under a text type is a text in pieces. */
const bundle = z
	.record(z.string(), z.unknown())
	.transform((data) => Object.fromEntries(Object.entries(data).map(([mime, value]) => [mime, joined(mime, value)])));

function joined(mime: string, value: unknown): unknown {
	if (isJsonMime(mime) || !Array.isArray(value)) return value;
	return value.every((line) => typeof line === "string") ? value.join("") : value;
}

/** `application/json` and everything that ends in `+json` hold a value; all other types hold a text. */
export function isJsonMime(mime: string): boolean {
	return mime === "application/json" || mime.endsWith("+json");
}

const output = z.discriminatedUnion("output_type", [
	z.looseObject({ output_type: z.literal("stream"), name: z.enum(["stdout", "stderr"]), text }),
	z.looseObject({ output_type: z.literal("display_data"), data: bundle, metadata: metadata.default({}) }),
	z.looseObject({
		output_type: z.literal("execute_result"),
		data: bundle,
		metadata: metadata.default({}),
		execution_count: z.number().nullable().default(null),
	}),
	z.looseObject({
		output_type: z.literal("error"),
		ename: z.string(),
		evalue: z.string(),
		traceback: z.array(z.string()),
	}),
]);
const cellBase = {
	id: z.string().optional(),
	metadata: z.looseObject({ tags: z.array(z.string()).optional() }).default({}),
	source: text,
	attachments: z.record(z.string(), metadata).optional(),
};
const cell = z.discriminatedUnion("cell_type", [
	z.looseObject({
		...cellBase,
		cell_type: z.literal("code"),
		execution_count: z.number().nullable().default(null),
		outputs: z.array(output).default([]),
	}),
	z.looseObject({ ...cellBase, cell_type: z.literal("markdown") }),
	z.looseObject({ ...cellBase, cell_type: z.literal("raw") }),
]);
const kernelspec = z.looseObject({ name: z.string(), display_name: z.string(), language: z.string().optional() });
const notebook = z.looseObject({
	cells: z.array(cell),
	metadata: z.looseObject({
		kernelspec: kernelspec.optional(),
		language_info: z.looseObject({ name: z.string() }).optional(),
	}),
	nbformat: z.literal(4),
	nbformat_minor: z.number().int().min(0),
});

/** A cell without an id of its own (format 4.4 and older) gets the same one every time. */
function stableId(source: string, index: number): string {
	return createHash("sha256").update(`${index}\n${source}`).digest("hex").slice(0, 8);
}

/**
 * Reads a notebook of format 4.0 to 4.5 and lifts it to 4.5 (every cell has an id, and no two the same).
 *
 * @throws {CodedError} `UNKNOWN_NOTEBOOK` when there is no such file, `BAD_NOTEBOOK` when it is not a notebook.
 */
export async function readNotebook(path: string): Promise<Notebook> {
	let content: string;
	try {
		content = await readFile(path, "utf8");
	} catch (error) {
		if (!hasCode(error)) throw error;
		const reason = error.code === "ENOENT" ? "there is no such file" : error.message;
		throw new CodedError("UNKNOWN_NOTEBOOK", `cannot read notebook ${path}: ${reason}`, { cause: error });
	}
	return parseNotebook(content, path);
}

/** The same from a text; `path` is for the error message. */
export function parseNotebook(content: string, path: string): Notebook {
	const bad = (reason: string, hint?: string) =>
		new CodedError("BAD_NOTEBOOK", `${path} is not a notebook: ${reason}`, hint === undefined ? {} : { hint });
	let raw: unknown;
	try {
		raw = JSON.parse(content.replace(/^\uFEFF/, ""));
	} catch (error) {
		throw bad(error instanceof Error ? error.message : String(error));
	}
	const { success, data, error } = notebook.safeParse(raw);
	if (!success) {
		const issue = error.issues[0];
		const where = issue === undefined ? "" : issue.path.join(".");
		const old = where === "nbformat" || where === "cells";
		throw bad(
			`${where || "the top level"}: ${issue?.message ?? "unknown structure"}`,
			old ? "format 4 is needed; Jupyter converts older notebooks when it opens and saves them" : undefined,
		);
	}
	const seen = new Set<string>();
	const cells = data.cells.map((found, index): Cell => {
		const usable = found.id !== undefined && /^[\w-]{1,64}$/.test(found.id) && !seen.has(found.id);
		const id = usable && found.id !== undefined ? found.id : stableId(found.source, index);
		seen.add(id);
		return { ...found, id };
	});
	return { ...data, cells, nbformat_minor: Math.max(5, data.nbformat_minor) };
}
