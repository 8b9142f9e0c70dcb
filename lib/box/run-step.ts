import { userInfo } from "node:os";
import { dirname, resolve } from "node:path";
import { CodedError, findProject } from "../base/index.js";
import { type Box, loginOf, now, type Outcome, type Step } from "./box.js";
import type { Cloud } from "./cloud/cloud.js";
import { openEc2 } from "./cloud/ec2.js";
import { type BoxOptions, parseHost } from "./options.js";
import { pause } from "./process.js";
import type { Remote } from "./remote/remote.js";
import { openSsh, type SshOptions } from "./remote/ssh.js";
import { linkIdentity } from "./remote/ssh-config.js";
import { BOX_NAME, checkOutsideGit, defaultStatePath, makeStateFolder, readState, writeState } from "./state/file.js";
import { lockState } from "./state/lock.js";
import type { BoxState } from "./state/schema.js";
import { CLOUD_STEPS, isDone, nextStep, type StepName, situation } from "./state/situation.js";
import { STEPS } from "./steps/table.js";

/** What a caller may listen to or put in the place of the real thing. */
export interface StepParts {
	readonly onSay?: (text: string) => void;
	readonly signal?: AbortSignal;
	/** @default ssh and rsync of this system */
	readonly openRemote?: (options: SshOptions) => Remote;
	/** Seconds between signs of life on a connection. @default 15 */
	readonly aliveSeconds?: number;
	/** The length of a waiting second, in ms. @default 1000 */
	readonly secondMs?: number;
}

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
	const begin = () => merged(readState(path), boxName, name, options);
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

async function perform(step: Step, box: Box): Promise<StepResult> {
	try {
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
	const which = statePath === undefined ? (name === undefined ? "" : ` --name ${name}`) : ` --state ${statePath}`;
	const advice = next === null ? "nothing is left to do" : `next: workbook box ${next}${which}`;
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

/** The state with what the options say now; a torn down box begins a new life with its next `check` or `access`. */
function merged(stored: BoxState | undefined, name: string, step: StepName, options: BoxOptions): BoxState {
	const provider = options.provider ?? stored?.provider ?? (options.host === undefined ? "ec2" : "ssh");
	if (stored !== undefined && stored.provider !== provider && stored.teardown === undefined) {
		throw new CodedError(
			"PROVIDER_DIFFERS",
			`box "${stored.name}" is of provider ${stored.provider}, not ${provider}`,
			{
				hint: "give the other box another --name or --state",
			},
		);
	}
	if (stored !== undefined && options.name !== undefined && stored.name !== options.name) {
		throw new CodedError("NAME_DIFFERS", `the state is of box "${stored.name}", not "${options.name}"`, {
			hint: "give --state the file of that box, or leave --name out",
		});
	}
	const anew = stored === undefined || (stored.teardown !== undefined && (step === "check" || step === "access"));
	const state: BoxState = anew ? { version: 1, name: stored?.name ?? name, provider, createdAt: now() } : stored;
	if (provider !== "ssh") return state;
	if (options.host === undefined) {
		return options.port === undefined || state.login === undefined
			? state
			: { ...state, login: { ...state.login, port: options.port } };
	}
	const { user, host } = parseHost(options.host, state.login?.user ?? userInfo().username);
	const port = options.port ?? state.login?.port ?? 22;
	const before = state.login;
	if (before !== undefined && (before.host !== host || before.user !== user) && state.setup !== undefined) {
		throw new CodedError("HOST_DIFFERS", `box "${state.name}" is ${before.user}@${before.host}, not ${user}@${host}`, {
			hint: "give the other machine another --name",
		});
	}
	const same = before?.host === host && before.hostKey !== undefined;
	return { ...state, login: { user, host, port, ...(same ? { hostKey: before.hostKey } : {}) } };
}

interface Making {
	readonly path: string;
	readonly state: BoxState;
	readonly options: BoxOptions;
	readonly parts: StepParts;
	readonly remember: (state: BoxState) => void;
}

function makeBox({ path, state: first, options, parts, remember }: Making): Box {
	let state = first;
	let cloud: Promise<Cloud> | undefined;
	const { signal, openRemote = openSsh, secondMs = 1000, aliveSeconds } = parts;
	const folder = dirname(path);
	const project = findProject(options.project);
	const aborting = signal === undefined ? {} : { signal };
	return {
		options,
		get state() {
			return state;
		},
		update(changes) {
			const entries = Object.entries({ ...state, ...changes }).filter(([, value]) => value !== undefined);
			state = {
				...Object.fromEntries(entries),
				version: 1,
				name: state.name,
				provider: state.provider,
				createdAt: state.createdAt,
			};
			remember(state);
		},
		folder,
		projectRoot: project.root,
		outputsDir: project.outputsDir,
		cloud() {
			// where the box was rented, whatever the environment says today: a machine elsewhere would be forgotten
			cloud ??= openEc2({ ...(state.region === undefined ? {} : { region: state.region }), ...aborting });
			return cloud;
		},
		remote: () =>
			openRemote({
				folder,
				login: loginOf(state),
				...aborting,
				...(aliveSeconds === undefined ? {} : { aliveSeconds }),
			}),
		say: parts.onSay ?? (() => {}),
		signal,
		rest: (seconds) => pause(seconds * secondMs, signal),
	};
}
