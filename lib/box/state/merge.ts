import { userInfo } from "node:os";
import { CodedError } from "../../base/index.js";
import { type BoxOptions, parseHost } from "../options.js";
import type { BoxState } from "./schema.js";
import type { StepName } from "./situation.js";

/** The state with what the options say now; a torn down box begins a new life with its next `check` or `access`. */
export function mergedState(stored: BoxState | undefined, name: string, step: StepName, options: BoxOptions): BoxState {
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
	const state: BoxState = anew
		? { version: 1, name: stored?.name ?? name, provider, createdAt: new Date().toISOString() }
		: stored;
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
