import type { ClientDone } from "../../client/index.js";
import type { Counted } from "../../service/index.js";
import type { QuietLook } from "../machine/quiet.js";
import type { RunUsage } from "./usage.js";

/** What a run left in memory when its core was free again; nothing of it is on disk yet. */
export interface Measured {
	readonly id: number;
	readonly done: ClientDone;
	readonly counted: Counted;
	readonly look: QuietLook;
	readonly usage: RunUsage;
	readonly canaryNs: readonly [before: number, after: number];
	readonly timingMs: Readonly<Record<string, number>>;
	readonly pids: { readonly service: number; readonly client: number };
}
