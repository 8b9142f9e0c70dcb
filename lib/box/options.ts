import { CodedError } from "../base/index.js";
import type { Provider } from "./state/schema.js";

/** What a step may be told. Everything has a default; what a step has no use for is ignored. */
export interface BoxOptions {
	/** Names the box in tags, in the state's place and on the machine. @default "lab" */
	readonly name?: string;
	/** @default the state's own; for a new state `ssh` where a host is given, else `ec2` */
	readonly provider?: Provider;
	/** @default ~/.batching-workbook/box/<name>/state.json */
	readonly statePath?: string;
	/** Print what would be done, and do nothing. @default false */
	readonly dryRun?: boolean;
	/** The project that goes to the box. @default the one around the working folder */
	readonly project?: string;

	/** `[user@]host`, provider `ssh`. */
	readonly host?: string;
	/** @default 22 */
	readonly port?: number;
	/** Private key file, provider `ssh`. @default what ssh tries by itself */
	readonly identity?: string;
	/** `SHA256:…`: accept this host key and no other. */
	readonly hostKey?: string;

	/** The address that may log in. @default what checkip.amazonaws.com says */
	readonly address?: string;
	/** @default "c7g.medium" */
	readonly instanceType?: string;
	/** An image of one's own. @default the newest Ubuntu 24.04 for arm64 (or for the type's processor) */
	readonly imageId?: string;
	/** The box ends itself for good after so many hours. @default 6 */
	readonly maxHours?: number;
	/** Bound of `wait`. @default 600 */
	readonly waitSeconds?: number;

	/** An official Node tarball to copy over, for a box without a way to nodejs.org. */
	readonly nodeTarball?: string;
	/** Send `data/`, so that the box scores the same shop with the same model files. @default true */
	readonly data?: boolean;
	/** Free space that `setup` asks for, in MB. @default 3000 */
	readonly freeMb?: number;

	/** Undo `quiet`. @default false */
	readonly restore?: boolean;
	/** @default "full" */
	readonly profile?: string;
	/** Keep the run to these cores, as `taskset` has it: `0` or `0,1`. @default all */
	readonly cpus?: string;
	/** Device or file for progress lines. @default provider ec2: the box's serial console, where it can be written */
	readonly console?: string;
	/** Start anew although an earlier run finished. @default false */
	readonly again?: boolean;
	/** Go on with a run that was cut short. @default false */
	readonly resume?: boolean;
	/** `watch` by logging in. @default false */
	readonly ssh?: boolean;
	/** `watch` until the run ends. @default false */
	readonly follow?: boolean;
	/** Fetch what is there while the run goes on; marks nothing safe. @default false */
	readonly partial?: boolean;
	/** Where results go. @default <project>/outputs/box-<name> */
	readonly to?: string;
	/** Tear down although results are not at home. @default false */
	readonly discard?: boolean;
	/** Price in USD an hour. @default BATCHING_BOX_PRICE, else an assumption that `cost` names as one */
	readonly pricePerHour?: number;
}

const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})|[0-9A-Fa-f]*:[0-9A-Fa-f:.]+)$/;
const USER = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;

/**
 * @returns user and host of `[user@]host`
 * @throws {CodedError} `BAD_HOST` for anything that ssh could take for an option, a pattern or a command
 */
export function parseHost(text: string, defaultUser: string): { user: string; host: string } {
	const cut = text.lastIndexOf("@");
	const user = cut < 0 ? defaultUser : text.slice(0, cut);
	const host = text.slice(cut + 1);
	if (!USER.test(user) || !HOST.test(host)) {
		throw new CodedError("BAD_HOST", `--host takes user@host, got "${text}"`, {
			hint: "a name or an address, without spaces or signs; the port goes into --port",
		});
	}
	return { user, host };
}

const SAFE_WORD = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** @throws {CodedError} `BAD_OPTION` for what is not one plain word */
export function plainWord(option: string, text: string): string {
	if (!SAFE_WORD.test(text)) throw new CodedError("BAD_OPTION", `${option} takes one plain word, got "${text}"`);
	return text;
}
