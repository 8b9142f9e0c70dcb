import type { Profile } from "./profiles.js";

/**
 * How much of an open run's warm-up, at its start, goes as fast as it can. V8 compiles what has run often, so how warm
 * a process is depends on the requests that it has seen: at its own rate alone a slow run would count colder code than
 * a fast one (client CPU at 1,000/s: 205 µs an answer after 700 requests, 136 after 12,000). Not more than half: after
 * a burst V8 compiles on in the background, on the core that is measured.
 */
export const BURST_SHARE = 0.5;

/**
 * How long a run warms up, s. A closed loop is at full speed from the start, so it need not warm up for longer than it
 * counts; an open run needs 1.5 s. What V8 still compiles after that is in the tail of what is counted: `ft` with
 * `none` at half of S, p99 of five runs each: 31–92 ms after 1 s, 6–14 ms after 1.3 s, 7–8 ms after 1.5 s, 4–7 ms after 2 s.
 */
export function warmupSecondsOf(profile: Profile, kind: "closed" | "open"): number {
	return kind === "open" ? profile.warmupSeconds : Math.min(profile.warmupSeconds, profile.closedSeconds);
}
