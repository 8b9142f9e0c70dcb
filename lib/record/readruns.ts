import { type ColumnArray, type ColumnType, decodeColumn } from "./codec.js";
import { RecordError } from "./errors.js";
import { bytes, flag, json, maybe, num, type Row, text, word } from "./rows.js";
import type { BatchColumns, NewRun, RequestColumns, RunResult, RunRow, StampColumns } from "./runs.js";

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

/** The decoded columns of one family of one run, by name. */
export class ColumnSet {
	readonly #columns = new Map<string, ColumnArray>();
	readonly #what: string;

	constructor(rows: readonly Row[], what: string) {
		this.#what = what;
		for (const row of rows) {
			const name = text(row, "name");
			const type: ColumnType = word("f8", "u4", "u2", "u1")(row, "type");
			const encoded = { type, length: num(row, "length"), data: bytes(row, "data") };
			this.#columns.set(name, decodeColumn(encoded, `${name} of ${what}`));
		}
	}

	get empty(): boolean {
		return this.#columns.size === 0;
	}

	get<T extends ColumnArray>(name: string, kind: new (length: number) => T): T {
		const column = this.#columns.get(name);
		if (column instanceof kind) return column;
		const found = column === undefined ? "missing" : `a ${column.constructor.name}`;
		throw new RecordError("RECORD_CORRUPT", `column ${name} of ${this.#what} is ${found}; expected ${kind.name}`, {
			exitCode: 1,
		});
	}
}

/** Offsets are kept relative to the schedule, which all settings of a round share; here they become times again. */
export function toRequests(columns: ColumnSet, scheduledNs: Float64Array): RequestColumns {
	const later = (name: string): Float64Array => {
		const times = columns.get(name, Float64Array);
		for (let i = 0; i < times.length; i++) times[i] = (times[i] ?? Number.NaN) + (scheduledNs[i] ?? Number.NaN);
		return times;
	};
	return {
		scheduledNs,
		sentNs: later("sentAfterNs"),
		receivedNs: later("receivedAfterNs"),
		status: columns.get("status", Uint16Array),
		outcome: columns.get("outcome", Uint8Array),
		scoreBits: columns.get("scoreBits", Uint32Array),
		batchId: columns.get("batchId", Uint32Array),
		batchSize: columns.get("batchSize", Uint16Array),
		bodyIndex: columns.get("bodyIndex", Uint32Array),
	};
}

export function toBatches(columns: ColumnSet): BatchColumns {
	return {
		batchId: columns.get("batchId", Uint32Array),
		size: columns.get("size", Uint16Array),
		reason: columns.get("reason", Uint8Array),
		firstSubmitNs: columns.get("firstSubmitNs", Float64Array),
		waitNs: columns.get("waitNs", Float64Array),
		modelNs: columns.get("modelNs", Float64Array),
	};
}

export function toStamps(columns: ColumnSet): StampColumns {
	return {
		handlerStartNs: columns.get("handlerStartNs", Float64Array),
		rowReadyNs: columns.get("rowReadyNs", Float64Array),
		scoreBackNs: columns.get("scoreBackNs", Float64Array),
		replyWrittenNs: columns.get("replyWrittenNs", Float64Array),
	};
}
