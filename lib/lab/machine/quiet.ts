import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Counters, frequencyMhz, readCounters } from "./counters.js";
import { usageBetween } from "./procstat.js";

/** What a quiet check asks for. */
export interface QuietRules {
	/** CPUs that must be idle; null: all of them together. */
	readonly measured: readonly number[] | null;
	/** Length of one look. */
	readonly lookMs: number;
	/** 0…1 */
	readonly requiredIdleShare: number;
	/** No further look begins after this long. */
	readonly waitAtMostMs: number;
}

export interface QuietLook {
	readonly quiet: boolean;
	readonly idleShare: number;
	readonly waitedMs: number;
	readonly source: string;
	readonly loadBefore: number;
	readonly frequencyMhz: number | null;
	/** The counters at the end of the last look: the run's own usage counts from here. */
	readonly counters: Counters;
}

export interface QuietOptions {
	readonly signal?: AbortSignal;
	/** Told after every look that was not quiet, with words that say how busy the machine is. */
	readonly onBusy?: (text: string) => void;
	/** Where the counters come from; a test hands in its own. */
	readonly read?: () => Counters;
}

/**
 * Looks at the measured cores until one look finds them idle enough, or the wait is over. The timed processes are
 * loaded and idle by then and nothing else of the lab runs, so whatever is busy is not the experiment.
 */
export async function waitForQuiet(rules: QuietRules, options: QuietOptions = {}): Promise<QuietLook> {
	const { signal, onBusy, read = readCounters } = options;
	const loadBefore = loadavg()[0] ?? 0;
	const mhz = frequencyMhz(rules.measured?.[0] ?? 0);
	const began = performance.now();
	for (let before = read(); ; ) {
		await sleep(rules.lookMs, undefined, signal === undefined ? {} : { signal });
		const after = read();
		const usage = usageBetween(before, after, rules.measured ?? undefined);
		const idleShare = (rules.measured === null ? usage?.overallIdleShare : usage?.idleShare) ?? 1;
		const waitedMs = performance.now() - began;
		const quiet = idleShare >= rules.requiredIdleShare;
		if (quiet || waitedMs >= rules.waitAtMostMs) {
			return { quiet, idleShare, waitedMs, source: after.source, loadBefore, frequencyMhz: mhz, counters: after };
		}
		onBusy?.(busyText(rules, idleShare, usage?.cpu ?? 0, waitedMs));
		before = after;
	}
}

function busyText(rules: QuietRules, idleShare: number, cpu: number, waitedMs: number): string {
	const busy = Math.round((1 - idleShare) * 100);
	const allowed = Math.round((1 - rules.requiredIdleShare) * 100);
	const who = rules.measured === null ? "the machine is" : `CPU ${cpu} is`;
	const waited = `${(waitedMs / 1000).toFixed(1)} s of at most ${(rules.waitAtMostMs / 1000).toFixed(1)} s`;
	return `waiting for a quiet machine: ${who} ${busy} % busy with other work, ${allowed} % is allowed (${waited})`;
}
