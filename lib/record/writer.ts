import { createHash } from "node:crypto";
import { encodeColumn } from "./codec.js";
import { RecordError } from "./errors.js";
import { FactWriter } from "./factwriter.js";
import { type StoredColumns, storeBatches, storeRequests, storeStamps, toGaps } from "./families.js";
import type { Connection } from "./open.js";
import { num } from "./rows.js";
import { type NewRun, type RunColumns, type RunResult, type RunRow, slotOf } from "./runs.js";
import { now, Statements } from "./statements.js";

/** What `beginRun` gives back. */
export interface OpenRun {
	readonly id: number;
	readonly slot: string;
	readonly attempt: number;
}

/**
 * Writes one record. Each method is one transaction that is on the disk when it returns, so a lab killed at any moment
 * loses at most the run it was in, and that run stays visible as `started`.
 *
 * Every method throws {@link RecordError} `DISK_FULL` when there is no room; what was written before stays readable.
 */
export class RecordWriter extends FactWriter {
	readonly #sql: Statements;

	/** @internal Use `createRecord` or `openRecord`. */
	constructor(database: Connection, path: string) {
		super(database, path);
		this.#sql = new Statements(database, path);
	}

	/** Makes the run visible as `started`. A slot that has an earlier row gets the next attempt. */
	beginRun(run: NewRun): OpenRun {
		const slot = slotOf(run);
		return this.#sql.write(() => {
			const last = this.query("SELECT coalesce(max(attempt), 0) AS attempt FROM run WHERE slot = ?", slot)[0];
			const attempt = (last === undefined ? 0 : num(last, "attempt")) + 1;
			const id = this.#sql.insert("run", {
				start_id: run.startId,
				slot,
				attempt,
				state: "started",
				kind: run.kind,
				model: run.model,
				setting: run.setting,
				role: run.role,
				round: run.round,
				position: run.position,
				rate_multiple: run.rateMultiple,
				rate_per_second: run.ratePerSecond,
				saturation_per_second: run.saturationPerSecond,
				seed: run.seed,
				seconds: run.seconds,
				connections: run.connections,
				topology: run.topology,
				service_pin: run.servicePin,
				client_pin: run.clientPin,
				began_at: now(),
			});
			return { id, slot, attempt };
		});
	}

	/** Writes a run's figures and all its columns in one transaction: after it the run counts, before it nothing of it does. */
	finishRun(id: number, result: RunResult, columns: RunColumns): void {
		const { quiet, canary, counts } = result;
		this.#sql.write(() => {
			const run = this.#startedRun(id);
			const single = this.#single(run.model);
			const stored = storeRequests(columns.requests, run.kind === "closed", single?.bits);
			const arrivals = run.kind === "open" ? this.#arrivals(columns.requests.scheduledNs, run.seed) : null;
			this.#sql.update("run", id, {
				state: "finished",
				ended_at: now(),
				epoch_ns: String(result.epochNs),
				quiet: Number(quiet.quiet),
				quiet_idle_share: quiet.idleShare,
				quiet_waited_ms: quiet.waitedMs,
				quiet_json: JSON.stringify(quiet),
				canary_before_ns: canary.beforeNs,
				canary_after_ns: canary.afterNs,
				canary_drift: canary.drift,
				drifted: Number(canary.drifted),
				steal_share: result.stealShare,
				verdict: result.verdict,
				reasons: JSON.stringify(result.reasons),
				scheduled: counts.scheduled,
				answered: counts.answered,
				failed: counts.failed,
				timed_out: counts.timedOut,
				unsent: counts.unsent,
				differing: result.differing,
				max_ulp: result.maxUlp,
				service_cpu_us: result.serviceCpuUs,
				client_cpu_us: result.clientCpuUs,
				service_rss_bytes: result.serviceRssBytes,
				client_rss_bytes: result.clientRssBytes,
				service_pid: result.servicePid,
				client_pid: result.clientPid,
				arrivals_id: arrivals,
				single_score_id: stored.usesSingle ? (single?.id ?? null) : null,
				summary: JSON.stringify(result.summary),
				errors: JSON.stringify(result.errors),
				timing_ms: JSON.stringify(result.timingMs),
			});
			this.#putColumns(id, "request", stored.columns);
			this.#putColumns(id, "batch", storeBatches(columns.batches));
			if (columns.stamps !== undefined) this.#putColumns(id, "stamp", storeStamps(columns.stamps));
		});
	}

	/** Says that a run came to nothing, and why. It is never counted, and its slot is measured again. */
	failRun(id: number, state: "failed" | "interrupted", reasons: readonly string[]): void {
		this.#sql.write(() => {
			this.#startedRun(id);
			this.#sql.update("run", id, { state, ended_at: now(), reasons: JSON.stringify(reasons) });
		});
	}

	/** Says of a finished run that its figures are not comparable with those of its round. */
	markDrifted(id: number, reason: string): void {
		this.#sql.write(() => {
			const run = this.run(id);
			if (run.state !== "finished") throw new RecordError("RUN_NOT_OPEN", `run ${id} is ${run.state}, not finished`);
			this.#sql.update("run", id, { drifted: 1, reasons: JSON.stringify([...run.reasons, reason]) });
		});
	}

	#putColumns(id: number, family: "request" | "batch" | "stamp", columns: StoredColumns): void {
		for (const [name, values] of Object.entries(columns)) {
			const { type, length, data } = encodeColumn(values);
			this.#sql.insert("run_column", { run_id: id, family, name, type, length, data });
		}
	}

	/** The single-row scores of the model file that is being measured, if they are kept. */
	#single(model: string): { readonly id: number; readonly bits: Uint32Array } | undefined {
		const sha256 = this.model(model)?.sha256;
		const bits = sha256 === undefined ? undefined : this.singleScoreBits(model, sha256);
		if (sha256 === undefined || bits === undefined) return undefined;
		const row = this.query("SELECT id FROM single_score WHERE model = ? AND model_sha256 = ?", model, sha256)[0];
		return row === undefined ? undefined : { id: num(row, "id"), bits };
	}

	/** All settings of a round and rate meet the same arrivals, so those are kept once. */
	#arrivals(scheduledNs: Float64Array, seed: number): number {
		const { length, data } = encodeColumn(toGaps(scheduledNs));
		const hash = createHash("sha256").update(data).digest("hex");
		const found = this.query("SELECT id FROM arrivals WHERE sha256 = ?", hash)[0];
		return found === undefined ? this.#sql.insert("arrivals", { sha256: hash, seed, length, data }) : num(found, "id");
	}

	#startedRun(id: number): RunRow {
		const run = this.run(id);
		if (run.state !== "started") throw new RecordError("RUN_NOT_OPEN", `run ${id} is ${run.state}, not started`);
		return run;
	}
}
