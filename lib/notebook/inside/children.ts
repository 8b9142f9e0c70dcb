import childProcess, { ChildProcess } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

type Target = "stdout" | "stderr";
type Options = { readonly stdio?: unknown };

/**
 * A child process that inherits the kernel's standard output prints into a file descriptor that nobody shows. Here
 * `inherit` becomes a pipe into the cell that started the child; all other choices stay as they are.
 */
export function showChildOutput(): void {
	const spawn: unknown = Reflect.get(ChildProcess.prototype, "spawn");
	if (typeof spawn !== "function") return;
	Reflect.set(ChildProcess.prototype, "spawn", function (this: ChildProcess, options: Options): unknown {
		const { list, targets } = redirected(options.stdio);
		if (targets.size === 0) return Reflect.apply(spawn, this, [options]);
		for (const index of targets.keys()) list[index] = "pipe";
		const result: unknown = Reflect.apply(spawn, this, [{ ...options, stdio: list }]);
		for (const [index, target] of targets) {
			const source = this.stdio?.[index] as Readable | null | undefined; // a pipe in this place is always read from
			source?.on("data", (chunk: Uint8Array) => process[target].write(chunk));
		}
		return result;
	});
	for (const name of ["spawnSync", "execSync", "execFileSync"] as const) showSync(name);
	syncBuiltinESMExports();
}

/** The same for the calls that wait: the child writes into temporary files, shown when it has ended. */
function showSync(name: "spawnSync" | "execSync" | "execFileSync"): void {
	const original: unknown = Reflect.get(childProcess, name);
	if (typeof original !== "function") return;
	Reflect.set(childProcess, name, (...given: unknown[]): unknown => {
		const position = given.findIndex((item, index) => index > 0 && isOptions(item));
		const options = given[position];
		const { list, targets } = redirected(isOptions(options) ? options.stdio : undefined);
		if (targets.size === 0) return Reflect.apply(original, childProcess, given);
		const folder = mkdtempSync(join(tmpdir(), "workbook-child-"));
		const files = [...targets].map(([index, target]) => {
			const path = join(folder, String(index));
			const descriptor = openSync(path, "w");
			list[index] = descriptor;
			return { path, descriptor, target };
		});
		try {
			const changed = given.map((item, index) =>
				index === position && isOptions(item) ? { ...item, stdio: list } : item,
			);
			return Reflect.apply(original, childProcess, changed);
		} finally {
			for (const { path, descriptor, target } of files) {
				closeSync(descriptor);
				process[target].write(readFileSync(path));
			}
			rmSync(folder, { recursive: true, force: true });
		}
	});
}

function isOptions(value: unknown): value is Options {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The stdio setting as a list, and the places in it that are the kernel's own output, with where they belong. */
function redirected(stdio: unknown): { list: unknown[]; targets: Map<number, Target> } {
	const list: unknown[] = typeof stdio === "string" ? [stdio, stdio, stdio] : Array.isArray(stdio) ? [...stdio] : [];
	const targets = new Map<number, Target>();
	for (const index of [1, 2]) {
		const target = targetOf(list[index], index);
		if (target !== undefined) targets.set(index, target);
	}
	return { list, targets };
}

function targetOf(item: unknown, index: number): Target | undefined {
	if (item === "inherit") return index === 1 ? "stdout" : "stderr";
	if (item === 1 || item === process.stdout) return "stdout";
	if (item === 2 || item === process.stderr) return "stderr";
	return undefined;
}
