import { createHash } from "node:crypto";
import { type ColumnArray, encodeColumn } from "./codec.js";
import { RecordError, writeError } from "./errors.js";
import type { BitCheckRow, Environment, GuessRow, Json, ModelAloneRow, ModelRow, StartRow } from "./facts.js";
import type { Connection } from "./open.js";
import { RecordReader } from "./reader.js";
import { num } from "./rows.js";
import { type NewRun, type RunColumns, type RunResult, slotOf } from "./runs.js";

type Value = string | number | null | Uint8Array;

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
export class RecordWriter extends RecordReader {
	readonly #database: Connection;

	/** @internal Use `createRecord` or `openRecord`. */
	constructor(database: Connection, path: string) {
		super(database, path);
		this.#database = database;
	}

	/** Says that a lab starts on this record. Runs that an earlier start left half-written become `interrupted`. */
	addStart(start: Omit<StartRow, "id" | "at" | "endedAt" | "ended">): number {
		return this.#write(() => {
			const reasons = JSON.stringify(["its lab was killed before it finished"]);
			this.#run(
				"UPDATE run SET state = 'interrupted', reasons = ?, ended_at = ? WHERE state = 'started'",
				reasons,
				now(),
			);
			return this.#insert("start", {
				at: now(),
				pid: start.pid,
				host: start.host,
				boot: start.boot,
				purpose: start.purpose,
				code_hash: start.codeHash,
				model_hashes: JSON.stringify(start.modelHashes),
			});
		});
	}

	endStart(id: number, ended: "finished" | "interrupted" | "failed"): void {
		this.#write(() => this.#run("UPDATE start SET ended = ?, ended_at = ? WHERE id = ?", ended, now(), id));
	}

	/** Writes a design down, once: the same one again changes nothing. Gives its sha256. */
	addDesign(name: string, design: Json): string {
		const json = JSON.stringify(design);
		const hash = sha256(json);
		this.#write(() =>
			this.#run(
				"INSERT INTO design (at, name, sha256, json, added_later) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
				now(),
				name,
				hash,
				json,
				this.#later(),
			),
		);
		return hash;
	}

	/** Writes a guess down. A second guess of the same key is a second row; nothing is ever changed. */
	addGuess(guess: Pick<GuessRow, "key" | "author" | "text" | "value">): void {
		const value = JSON.stringify(guess.value);
		this.#write(() =>
			this.#insert("guess", {
				at: now(),
				key: guess.key,
				author: guess.author,
				text: guess.text,
				value,
				sha256: sha256(JSON.stringify([guess.key, guess.author, guess.text, value])),
				added_later: this.#later(),
			}),
		);
	}

	addEnvironment(startId: number, environment: Environment): void {
		this.#write(() => this.#insert("environment", { start_id: startId, at: now(), json: JSON.stringify(environment) }));
	}

	/** Sets or replaces what is known of a model; its bit verdict is kept while the file is the same. */
	putModel(model: Omit<ModelRow, "at" | "bits">): void {
		this.#write(() =>
			this.#run(
				`INSERT INTO model (name, at, sha256, average_precision, bits, json) VALUES (?, ?, ?, ?, NULL, ?)
				 ON CONFLICT (name) DO UPDATE SET bits = CASE WHEN sha256 = excluded.sha256 THEN bits END,
				   at = excluded.at, sha256 = excluded.sha256, average_precision = excluded.average_precision, json = excluded.json`,
				model.name,
				now(),
				model.sha256,
				model.averagePrecision,
				JSON.stringify(model.facts),
			),
		);
	}

	addModelAlone(round: Omit<ModelAloneRow, "id" | "at">): void {
		this.#write(() => {
			const id = this.#insert("model_alone", {
				start_id: round.startId,
				at: now(),
				model: round.model,
				round: round.round,
				pid: round.pid,
				sizes: JSON.stringify(round.order),
				budget_ms: round.budgetMs,
				quiet: JSON.stringify(round.quiet),
				canary_before_ns: round.canaryBeforeNs,
				canary_after_ns: round.canaryAfterNs,
			});
			for (const size of round.sizes) {
				this.#insert("model_alone_size", {
					round_id: id,
					size: size.size,
					calls: size.calls,
					min_ns: size.minNs,
					p25_ns: size.p25Ns,
					p50_ns: size.p50Ns,
					p75_ns: size.p75Ns,
					p99_ns: size.p99Ns,
					mean_ns: size.meanNs,
				});
			}
		});
	}

	/** Adds a bit check; with one thread it also gives the model its verdict. */
	addBitCheck(check: Omit<BitCheckRow, "id" | "at">): void {
		this.#write(() => {
			const id = this.#insert("bit_check", {
				start_id: check.startId,
				at: now(),
				model: check.model,
				model_sha256: check.modelSha256,
				threads: check.threads,
				rows: check.rows,
				distinct_scores: check.distinctScores,
				identical: Number(check.identical),
			});
			for (const size of check.sizes) {
				this.#insert("bit_check_size", {
					check_id: id,
					size: size.size,
					differing_rows: size.differingRows,
					max_ulp: size.maxUlp,
					max_abs: size.maxAbs,
				});
			}
			if (check.threads !== 1) return;
			const verdict = check.identical ? "identical" : "differ";
			this.#run("UPDATE model SET bits = ? WHERE name = ? AND sha256 = ?", verdict, check.model, check.modelSha256);
		});
	}

	/** Makes the run visible as `started`. A slot that has an earlier row gets the next attempt. */
	beginRun(run: NewRun): OpenRun {
		const slot = slotOf(run);
		return this.#write(() => {
			const last = this.query("SELECT coalesce(max(attempt), 0) AS attempt FROM run WHERE slot = ?", slot)[0];
			const attempt = (last === undefined ? 0 : num(last, "attempt")) + 1;
			const id = this.#insert("run", {
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
		this.#write(() => {
			const run = this.#startedRun(id);
			const arrivals = run.kind === "open" ? this.#arrivals(columns.requests.scheduledNs, run.seed) : null;
			this.#update("run", id, {
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
				summary: JSON.stringify(result.summary),
				errors: JSON.stringify(result.errors),
				timing_ms: JSON.stringify(result.timingMs),
			});
			this.#putColumns(id, columns, arrivals === null);
		});
	}

	/** Says that a run came to nothing, and why. It is never counted, and its slot is measured again. */
	failRun(id: number, state: "failed" | "interrupted", reasons: readonly string[]): void {
		this.#write(() => {
			this.#startedRun(id);
			this.#update("run", id, { state, ended_at: now(), reasons: JSON.stringify(reasons) });
		});
	}

	addProgress(startId: number, text: string): void {
		this.#write(() => this.#insert("progress", { start_id: startId, at: now(), text }));
	}

	addNote(kind: string, text: string, startId: number | null = null): void {
		this.#write(() => this.#insert("note", { start_id: startId, at: now(), kind, text, added_later: this.#later() }));
	}

	#putColumns(id: number, { requests, batches, stamps }: RunColumns, withSchedule: boolean): void {
		const { scheduledNs, sentNs, receivedNs, ...plain } = requests;
		const since = (times: Float64Array) =>
			times.map((time, i) => Math.round(time) - Math.round(scheduledNs[i] ?? Number.NaN));
		const families: Record<string, Record<string, ColumnArray>> = {
			request: {
				...(withSchedule ? { scheduledNs: scheduledNs.map(Math.round) } : {}),
				sentAfterNs: since(sentNs),
				receivedAfterNs: since(receivedNs),
				...plain,
			},
			batch: { ...batches },
			...(stamps === undefined ? {} : { stamp: { ...stamps } }),
		};
		for (const [family, columns] of Object.entries(families)) {
			for (const [name, values] of Object.entries(columns)) {
				const { type, length, data } = encodeColumn(values);
				this.#insert("run_column", { run_id: id, family, name, type, length, data });
			}
		}
	}

	/** All settings of a round and rate meet the same arrivals, so those are kept once. */
	#arrivals(scheduledNs: Float64Array, seed: number): number {
		const { length, data } = encodeColumn(scheduledNs.map(Math.round));
		const hash = sha256(data);
		const found = this.query("SELECT id FROM arrivals WHERE sha256 = ?", hash)[0];
		return found === undefined ? this.#insert("arrivals", { sha256: hash, seed, length, data }) : num(found, "id");
	}

	#startedRun(id: number) {
		const run = this.run(id);
		if (run.state !== "started") throw new RecordError("RUN_NOT_OPEN", `run ${id} is ${run.state}, not started`);
		return run;
	}

	#later(): number {
		const row = this.query(
			"SELECT (SELECT count(*) FROM run WHERE state = 'finished') + (SELECT count(*) FROM model_alone) AS timed",
		)[0];
		return Number(row !== undefined && num(row, "timed") > 0);
	}

	#write<T>(action: () => T): T {
		try {
			return this.#database.transaction(action).immediate();
		} catch (error) {
			throw writeError(error, this.path);
		}
	}

	#run(sql: string, ...values: readonly Value[]): void {
		this.#database.prepare(sql).run(...values);
	}

	#insert(table: string, row: Readonly<Record<string, Value>>): number {
		const names = Object.keys(row);
		const sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
		return Number(this.#database.prepare(sql).run(...Object.values(row)).lastInsertRowid);
	}

	#update(table: string, id: number, row: Readonly<Record<string, Value>>): void {
		const sets = Object.keys(row).map((name) => `${name} = ?`);
		this.#run(`UPDATE ${table} SET ${sets.join(", ")} WHERE id = ?`, ...Object.values(row), id);
	}
}

function now(): string {
	return new Date().toISOString();
}

function sha256(data: string | Uint8Array): string {
	return createHash("sha256").update(data).digest("hex");
}
