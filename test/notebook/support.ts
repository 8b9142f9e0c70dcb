import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import {
	type Cell,
	type CodeCell,
	type ExecuteOptions,
	executeNotebook,
	type Notebook,
	type NotebookResult,
	readNotebook,
} from "batching-lab/notebook";

const here = fileURLToPath(new URL("../../notebook/", import.meta.url));

/** A folder that is gone when the test file is done. */
export function temporaryFolder(name = "workbook-test-"): string {
	const folder = mkdtempSync(join(tmpdir(), name));
	after(() => rm(folder, { recursive: true, force: true }));
	return folder;
}

export function corpus(name: string): string {
	return join(here, "corpus", `${name}.ipynb`);
}

export interface Executed {
	readonly result: NotebookResult;
	/** As it is on disk. */
	readonly copy: Notebook;
	/** Its code cells, those that a run adds included. */
	readonly code: readonly CodeCell[];
}

const { $schema, ...schema } = JSON.parse(readFileSync(join(here, "nbformat.v4.5.schema.json"), "utf8"));
const isValid = new Ajv({ strict: false }).compile(schema);

/** Executes one of the corpus and holds the copy against the format's schema. */
export async function execute(name: string, options: ExecuteOptions = {}): Promise<Executed> {
	const folder = mkdtempSync(join(tmpdir(), "workbook-corpus-"));
	try {
		// A fault must fail a test, not hang it.
		const bounded = { cellLimitMs: 45_000, ...options };
		const result = await executeNotebook(corpus(name), join(folder, `${name}.ipynb`), bounded);
		const raw: unknown = JSON.parse(readFileSync(result.target, "utf8"));
		assert.ok(isValid(raw), `${name}: ${JSON.stringify(isValid.errors?.[0])}`);
		const copy = await readNotebook(result.target);
		return { result, copy, code: copy.cells.filter(isCode) };
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

export function isCode(cell: Cell): cell is CodeCell {
	return cell.cell_type === "code";
}

/** What a cell wrote to a stream, all pieces joined. */
export function text(cell: CodeCell | undefined, name: "stdout" | "stderr" = "stdout"): string {
	const parts = (cell?.outputs ?? []).map((output) =>
		output.output_type === "stream" && output.name === name ? output.text : "",
	);
	return parts.join("");
}

/** `finished`, `failed`, `skipped`, or undefined for a cell that was not reached. */
export function statusOf(cell: CodeCell | undefined): unknown {
	const times = cell?.metadata.workbook;
	return typeof times === "object" && times !== null && "status" in times ? times.status : undefined;
}

/** Waits until a process is gone, for at most ten seconds. */
export async function assertGone(pid: number): Promise<void> {
	assert.ok(pid > 0);
	for (let tries = 0; isAlive(pid) && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 100));
	assert.equal(isAlive(pid), false, `process ${pid} is still there`);
}

/** True while a process with this id runs. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
	} catch {
		return false;
	}
}
