import { loadavg } from "node:os";
import type { QuietFigures } from "../../record/index.js";
import { NOT_AVAILABLE } from "../../record/index.js";
import { readCounters } from "../machine/counters.js";
import { logIns } from "../machine/host.js";
import { journalBetween } from "../machine/journal.js";
import { usageBetween } from "../machine/procstat.js";
import type { QuietLook } from "../machine/quiet.js";

/** What went on on the machine while a run lasted. */
export interface RunUsage {
	readonly stealShare: number | null;
	readonly contextSwitches: number | null;
	readonly loadAfter: number;
	readonly beganMs: number;
	readonly endedMs: number;
}

/** Starts watching; the function it gives back ends it. Reading the counters twice is all that it costs. */
export function watchUsage(measured: readonly number[] | null): () => RunUsage {
	const before = readCounters();
	const beganMs = Date.now();
	return () => {
		const after = readCounters();
		const usage = usageBetween(before, after, measured ?? undefined);
		const switches =
			before.contextSwitches === null || after.contextSwitches === null
				? null
				: after.contextSwitches - before.contextSwitches;
		return {
			stealShare: after.source === "proc" ? (usage?.stealShare ?? null) : null,
			contextSwitches: switches,
			loadAfter: loadavg()[0] ?? 0,
			beganMs,
			endedMs: Date.now(),
		};
	};
}

/** Puts the look before a run and what happened during it together. Asks the system, so call it when nothing is timed. */
export async function quietFigures(
	look: QuietLook,
	usage: RunUsage,
	required: { readonly idleShare: number; readonly lookMs: number; readonly journal: boolean },
): Promise<QuietFigures> {
	const [users, journal] = await Promise.all([
		logIns(),
		required.journal ? journalBetween(usage.beganMs, usage.endedMs) : null,
	]);
	return {
		quiet: look.quiet,
		idleShare: look.idleShare,
		requiredIdleShare: required.idleShare,
		lookMs: required.lookMs,
		waitedMs: look.waitedMs,
		source: look.source,
		loadBefore: look.loadBefore,
		loadAfter: usage.loadAfter,
		frequencyMhz: look.frequencyMhz ?? NOT_AVAILABLE,
		contextSwitches: usage.contextSwitches ?? NOT_AVAILABLE,
		logIns: users?.length ?? NOT_AVAILABLE,
		journal: journal ?? NOT_AVAILABLE,
	};
}
