import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CodedError } from "batching-lab/base";
import {
	type BoxOptions,
	type BoxState,
	runStep,
	type StepName,
	type StepParts,
	type StepResult,
} from "batching-lab/box";
import type { Loopback } from "./loopback.js";
import { tempFolder } from "./temp.js";

/** One box of a test: its options, and ways to run its steps. */
export interface TestBox {
	readonly options: BoxOptions;
	/** The state's folder; the results come below it. */
	readonly folder: string;
	/** Lines that the steps said aloud. */
	readonly said: string[];
	state(): BoxState;
	run(step: StepName, more?: BoxOptions, parts?: StepParts): Promise<StepResult>;
	/** Runs a step that must fail with this code, and tell where things are and what to do next. */
	fails(code: string, step: StepName, more?: BoxOptions, parts?: StepParts): Promise<CodedError>;
	remove(): void;
}

export function makeBox(options: BoxOptions, parts: StepParts = {}): TestBox {
	const folder = tempFolder("state");
	const said: string[] = [];
	const all: BoxOptions = {
		statePath: join(folder, "box", "state.json"),
		to: join(folder, "results"),
		freeMb: 10,
		...options,
	};
	const usual: StepParts = { onSay: (line) => said.push(line), aliveSeconds: 2, secondMs: 50, ...parts };
	const box: TestBox = {
		options: all,
		folder,
		said,
		state: () => JSON.parse(readFileSync(all.statePath ?? "", "utf8")),
		run: (step, more = {}, others = {}) => runStep(step, { ...all, ...more }, { ...usual, ...others }),
		async fails(code, step, more, others) {
			try {
				await box.run(step, more, others);
			} catch (error) {
				assert.ok(error instanceof CodedError, String(error));
				assert.equal(error.code, code, `${error.message} (${error.hint})`);
				assert.match(error.hint ?? "", /box ".*" \(.*\): .*; (?:next: npx workbook box [a-z]+|nothing is left to do)/);
				return error;
			}
			throw new assert.AssertionError({ message: `${step} should have failed with ${code}` });
		},
		remove: () => rmSync(folder, { recursive: true }),
	};
	return box;
}

/** Options of a box that is the loopback machine, by provider ssh. */
export function sshOptions(loopback: Loopback, project: string, name: string): BoxOptions {
	return {
		name,
		project,
		provider: "ssh",
		host: `${loopback.user}@127.0.0.1`,
		port: loopback.proxy.port,
		identity: loopback.identity,
		console: "",
	};
}

/** Waits for the end of a run, by looking, for at most two minutes. */
export async function untilEnded(box: TestBox): Promise<StepResult> {
	return box.run("watch", { ssh: true, follow: true }, { secondMs: 10, signal: AbortSignal.timeout(120_000) });
}

/** Waits for something that happens on the box, for at most half a minute. */
export async function until(happened: () => boolean): Promise<void> {
	for (let left = 600; left > 0 && !happened(); left--) await new Promise((done) => setTimeout(done, 50));
	assert.ok(happened());
}
