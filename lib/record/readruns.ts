import { flag, json, maybe, num, type Row, text, word } from "./rows.js";
import type { NewRun, RunResult, RunRow } from "./runs.js";

function toNewRun(row: Row): NewRun {
	return {
		startId: num(row, "start_id"),
		kind: word("closed", "open")(row, "kind"),
		model: text(row, "model"),
		setting: text(row, "setting"),
		role: word("setting", "aa", "control", "pace")(row, "role"),
		round: num(row, "round"),
		position: num(row, "position"),
		rateMultiple: maybe(row, "rate_multiple", num),
		ratePerSecond: maybe(row, "rate_per_second", num),
		saturationPerSecond: maybe(row, "saturation_per_second", num),
		seed: num(row, "seed"),
		seconds: num(row, "seconds"),
		connections: num(row, "connections"),
		topology: text(row, "topology"),
		servicePin: maybe(row, "service_pin", text),
		clientPin: maybe(row, "client_pin", text),
	};
}

function toResult(row: Row): RunResult {
	return {
		epochNs: BigInt(text(row, "epoch_ns")),
		quiet: json(row, "quiet_json"),
		canary: {
			beforeNs: num(row, "canary_before_ns"),
			afterNs: num(row, "canary_after_ns"),
			drift: num(row, "canary_drift"),
			drifted: flag(row, "drifted"),
		},
		stealShare: maybe(row, "steal_share", num),
		verdict: word("VALID", "LATE", "INVALID")(row, "verdict"),
		reasons: json(row, "reasons"),
		counts: {
			scheduled: num(row, "scheduled"),
			answered: num(row, "answered"),
			failed: num(row, "failed"),
			timedOut: num(row, "timed_out"),
			unsent: num(row, "unsent"),
		},
		differing: num(row, "differing"),
		maxUlp: num(row, "max_ulp"),
		serviceCpuUs: num(row, "service_cpu_us"),
		clientCpuUs: num(row, "client_cpu_us"),
		serviceRssBytes: num(row, "service_rss_bytes"),
		clientRssBytes: num(row, "client_rss_bytes"),
		servicePid: num(row, "service_pid"),
		clientPid: num(row, "client_pid"),
		summary: json(row, "summary"),
		errors: json(row, "errors"),
		timingMs: json(row, "timing_ms"),
	};
}

/** `superseded` comes from the query. */
export function toRun(row: Row): RunRow {
	const identity = {
		...toNewRun(row),
		id: num(row, "id"),
		slot: text(row, "slot"),
		attempt: num(row, "attempt"),
		superseded: flag(row, "superseded"),
		beganAt: text(row, "began_at"),
	};
	const state = word("started", "finished", "failed", "interrupted")(row, "state");
	if (state === "finished") return { ...identity, ...toResult(row), state, endedAt: text(row, "ended_at") };
	const reasons: readonly string[] = maybe(row, "reasons", json<readonly string[]>) ?? [];
	return { ...identity, state, endedAt: maybe(row, "ended_at", text), reasons };
}
