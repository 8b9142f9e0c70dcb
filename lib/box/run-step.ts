import { resolve } from "node:path";
import { CodedError } from "../base/index.js";
import type { Box, Outcome, Step } from "./box.js";
import { makeBox, type StepParts } from "./make-box.js";
import type { BoxOptions } from "./options.js";
import { linkIdentity } from "./remote/ssh-config.js";
import { checkOutsideGit, defaultStatePath, makeStateFolder, readState, writeState } from "./state/file.js";
import { lockState } from "./state/lock.js";
import { mergedState } from "./state/merge.js";
import { BOX_NAME, type BoxState } from "./state/schema.js";
import { CLOUD_STEPS, isDone, nextStep, type StepName, situation } from "./state/situation.js";
import { STEPS } from "./steps/table.js";

export interface StepResult extends Outcome {
	readonly step: StepName;
	/** What state things are in now. */
	readonly situation: string;
	/** The step to run next; null when nothing is left to do. */
	readonly next: StepName | null;
	/** The same in a sentence, with the command. */
	readonly advice: string;
}

/**
 * Runs one step of a box. The state on disk is all it knows of earlier ones, so every step may run in a process of its
 * own, twice, or again after it was killed.
 *
 * @throws {CodedError} whose hint ends with what state things are in and which step to run next
 */
export async function runStep(name: StepName, options: BoxOptions = {}, parts: StepParts = {}): Promise<StepResult> {
	const step = STEPS[name];
	const boxName = options.name ?? "lab";
	if (!BOX_NAME.test(boxName)) {
		throw new CodedError("BAD_NAME", `--name takes small letters, digits and hyphens, at most 31, got "${boxName}"`);
	}
	const path = resolve(options.statePath ?? defaultStatePath(boxName));
	checkOutsideGit(path);
	const begin = () => mergedState(readState(path), boxName, name, options);
	const remember = (state: BoxState) => writeState(path, state);

	if (options.dryRun) {
		const state = begin();
		const lines = step.plan(makeBox({ path, state, options, parts, remember: () => {} }));
		const skipped = state.provider === "ssh" && CLOUD_STEPS.has(name);
		const message = skipped ? `nothing to do with provider ssh` : lines.map((line) => `would: ${line}`).join("\n");
		return { step: name, message, data: { wouldDo: skipped ? [] : lines }, ...outlook(state, options) };
	}
	if (step.looks) return perform(step, makeBox({ path, state: begin(), options, parts, remember: () => {} }));

	const folder = makeStateFolder(path);
	const lock = lockState(path, name);
	try {
		const state = begin();
		if (options.identity !== undefined) linkIdentity(folder, options.identity);
		remember(state);
		return await perform(step, makeBox({ path, state, options, parts, remember }));
	} finally {
		lock.release();
	}
}

/** Steps that need no machine. `check` and `access` begin a new life, before they come here. */
const AFTER_TEARDOWN: ReadonlySet<StepName> = new Set(["report", "teardown", "cost", "status"]);

async function perform(step: Step, box: Box): Promise<StepResult> {
	try {
		if (box.state.teardown !== undefined && !AFTER_TEARDOWN.has(step.name)) {
			throw new CodedError("TORN_DOWN", `this box is torn down: there is nothing for \`${step.name}\` to work on`, {
				exitCode: 1,
				hint: "`check` begins anew",
			});
		}
		const missing = step.needs.find((need) => !isDone(box.state, need));
		if (missing !== undefined) {
			throw new CodedError("TOO_EARLY", `\`${step.name}\` builds on \`${missing}\`, which is not done`, {
				exitCode: 1,
			});
		}
		const skipped = box.state.provider === "ssh" && CLOUD_STEPS.has(step.name);
		const outcome = skipped ? { message: `nothing to do with provider ssh: nothing is rented` } : await step.run(box);
		return { ...outcome, step: step.name, ...outlook(box.state, box.options) };
	} catch (error) {
		throw explained(error, outlook(box.state, box.options));
	}
}

/** What state things are in, and the command to run next. */
function outlook(state: BoxState, { name, statePath }: BoxOptions): Pick<StepResult, "situation" | "next" | "advice"> {
	const next = nextStep(state);
	const which =
		statePath === undefined
			? name === undefined
				? ""
				: ` --name ${name}`
			: ` --state ${/\s/.test(statePath) ? JSON.stringify(statePath) : statePath}`;
	const advice = next === null ? "nothing is left to do" : `next: npx workbook box ${next}${which}`;
	return { situation: situation(state), next, advice };
}

/** Adds to any error what state things are in and which step to run next. */
function explained(error: unknown, { situation, advice }: Pick<StepResult, "situation" | "advice">): CodedError {
	const where = `${situation}; ${advice}`;
	if (!(error instanceof CodedError)) {
		return new CodedError("BOX_INTERNAL", String(error instanceof Error ? error.message : error), {
			cause: error,
			exitCode: 1,
			hint: where,
		});
	}
	const hint = error.hint === undefined ? where : `${error.hint}. ${where}`;
	return new CodedError(error.code, error.message, { cause: error, exitCode: error.exitCode, hint });
}
