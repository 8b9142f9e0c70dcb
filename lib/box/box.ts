import { CodedError } from "../base/index.js";
import type { Cloud } from "./cloud/cloud.js";
import type { BoxOptions } from "./options.js";
import type { Remote } from "./remote/remote.js";
import type { BoxState, Login } from "./state/schema.js";
import type { StepName } from "./state/situation.js";

/** What a step works with. */
export interface Box {
	readonly options: BoxOptions;
	/** Now; every `update` is on disk before it returns. */
	readonly state: BoxState;
	/** Changes sections of the state; `undefined` takes one out. */
	update(changes: { readonly [K in keyof BoxState]?: BoxState[K] | undefined }): void;
	/** Where state, key and host key lie. */
	readonly folder: string;
	readonly projectRoot: string;
	/** The default place of results. */
	readonly outputsDir: string;
	/** Opened at the first call, in the region where the box was rented. */
	cloud(): Promise<Cloud>;
	/** @throws {CodedError} `NO_MACHINE` while it is not known where to log in */
	remote(): Remote;
	/** A line for the person waiting. */
	say(text: string): void;
	readonly signal: AbortSignal | undefined;
	/** Waits so many seconds between two looks. */
	rest(seconds: number): Promise<void>;
}

export interface Outcome {
	/** What was done and found, one or a few lines. */
	readonly message: string;
	/** For `--json`. */
	readonly data?: Readonly<Record<string, unknown>>;
}

/** One step of the lesson. */
export interface Step {
	readonly name: StepName;
	/** What it does, for the table in `--help`. */
	readonly does: string;
	/** Steps whose work it builds on. */
	readonly needs: readonly StepName[];
	/** Only looks: takes no lock and writes nothing. */
	readonly looks?: boolean;
	/** What it would do, line by line, without asking anybody. */
	plan(box: Box): readonly string[];
	run(box: Box): Promise<Outcome>;
}

/** @throws {CodedError} `NO_MACHINE` */
export function loginOf(state: BoxState): Login {
	if (state.login !== undefined) return state.login;
	throw new CodedError("NO_MACHINE", "it is not known where to log in", {
		hint: state.provider === "ssh" ? "give --host user@host" : "launch and wait first",
	});
}

export function now(): string {
	return new Date().toISOString();
}
