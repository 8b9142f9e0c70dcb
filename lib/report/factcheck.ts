import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { CodedError } from "../base/index.js";
import type { Resolved } from "./lookup-facts.js";
import { bareNumbers, type KeyedNumber, keyedNumbers, printedNumber } from "./prose-numbers.js";

/** One thing that is wrong with a number in prose. */
export interface FactProblem {
	readonly notebook: string;
	/** From 1, as they stand in the notebook. */
	readonly cell: number;
	readonly where: "text" | "output";
	readonly kind: "noKey" | "unknownKey" | "wrongNumber";
	readonly text: string;
	readonly key: string | null;
	/** What the record says. */
	readonly expected: number | null;
}

export interface FactCheck {
	readonly notebooks: readonly string[];
	/** Numbers with a key that the record, the rules or the published figures bear out. */
	readonly checked: number;
	/** Numbers that come from a virtual clock or a demonstration: their text was held against their value only. */
	readonly virtual: number;
	readonly problems: readonly FactProblem[];
}

interface Prose {
	readonly notebook: string;
	readonly cell: number;
	readonly where: "text" | "output";
	readonly markdown: string;
}

function text(value: unknown): string {
	if (typeof value === "string") return value;
	return Array.isArray(value) ? value.filter((part) => typeof part === "string").join("") : "";
}

function field(value: unknown, name: string): unknown {
	return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function list(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** The prose of a notebook: its Markdown cells, and computed Markdown among the outputs. */
export function proseOf(path: string): Prose[] {
	let document: unknown;
	try {
		document = JSON.parse(readFileSync(path, "utf8"));
	} catch (cause) {
		throw new CodedError("NOT_A_NOTEBOOK", `${path} is no notebook`, { cause });
	}
	const notebook = basename(path);
	return list(field(document, "cells")).flatMap((cell, index): Prose[] => {
		const at = { notebook, cell: index + 1 };
		if (field(cell, "cell_type") === "markdown")
			return [{ ...at, where: "text", markdown: text(field(cell, "source")) }];
		return list(field(cell, "outputs")).flatMap((output): Prose[] => {
			const markdown = text(field(field(output, "data"), "text/markdown"));
			return markdown === "" ? [] : [{ ...at, where: "output", markdown }];
		});
	});
}

/** True when a printed number is what the record says, as exactly as it is printed. */
function bornOut(keyed: KeyedNumber, value: number): boolean {
	const printed = printedNumber(keyed.text);
	const carried = keyed.value;
	const half = printed === undefined ? 0 : printed.halfUnit;
	const near = (found: number) => Math.abs(found - value) <= Math.max(half, 1e-9 * Math.abs(value)) * (1 + 1e-9);
	if (carried !== undefined && !near(carried)) return false;
	if (printed !== undefined) return near(printed.value) || (carried !== undefined && /\d.*[a-z].*\d/i.test(keyed.text));
	return carried !== undefined;
}

/** True when the text prints the value that it carries; for numbers that no record holds. */
function printsItself(keyed: KeyedNumber): boolean {
	return keyed.value === undefined || bornOut(keyed, keyed.value);
}

function problemOf(keyed: KeyedNumber, resolved: Resolved): Pick<FactProblem, "kind" | "expected"> | null {
	if (resolved.kind === "unknown") return { kind: "unknownKey", expected: null };
	if (resolved.kind === "virtual")
		return printsItself(keyed) ? null : { kind: "wrongNumber", expected: keyed.value ?? null };
	const values = resolved.kind === "number" ? [resolved.value] : resolved.values;
	return values.some((value) => bornOut(keyed, value)) ? null : { kind: "wrongNumber", expected: values[0] ?? null };
}

/**
 * Checks every number in the prose of notebooks: it must carry a key, the key must stand for something in the record,
 * among the rules or the published figures, and the number printed must be that one, as exactly as it is printed.
 *
 * @param resolve what a key stands for; `Report.resolve`
 */
export function factCheck(paths: readonly string[], resolve: (key: string) => Resolved): FactCheck {
	const problems: FactProblem[] = [];
	let [checked, virtual] = [0, 0];
	for (const { markdown, ...at } of paths.flatMap(proseOf)) {
		for (const bare of bareNumbers(markdown))
			problems.push({ ...at, kind: "noKey", text: bare, key: null, expected: null });
		for (const keyed of keyedNumbers(markdown)) {
			const resolved = resolve(keyed.key);
			const problem = problemOf(keyed, resolved);
			if (problem !== null) problems.push({ ...at, ...problem, text: keyed.text, key: keyed.key });
			else if (resolved.kind === "virtual") virtual++;
			else checked++;
		}
	}
	return { notebooks: paths.map((path) => basename(path)), checked, virtual, problems };
}

/** The notebooks of a folder, in order. */
export function notebooksIn(folder: string): string[] {
	return readdirSync(folder)
		.filter((name) => name.endsWith(".ipynb"))
		.sort()
		.map((name) => join(folder, name));
}
