import { dirname } from "node:path";
import { findProject } from "../base/index.js";
import { type Box, loginOf } from "./box.js";
import type { Cloud } from "./cloud/cloud.js";
import { openEc2 } from "./cloud/ec2.js";
import type { BoxOptions } from "./options.js";
import { pause } from "./process.js";
import type { Remote } from "./remote/remote.js";
import { openSsh, type SshOptions } from "./remote/ssh.js";
import type { BoxState } from "./state/schema.js";

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

interface Making {
	readonly path: string;
	readonly state: BoxState;
	readonly options: BoxOptions;
	readonly parts: StepParts;
	readonly remember: (state: BoxState) => void;
}

/** What a step works with, made from a state and what the caller said. */
export function makeBox({ path, state: first, options, parts, remember }: Making): Box {
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
