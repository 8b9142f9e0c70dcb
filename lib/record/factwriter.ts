import { createHash } from "node:crypto";
import { encodeColumn } from "./codec.js";
import type { BitCheckRow, Environment, GuessRow, Json, ModelAloneRow, ModelRow, StartRow } from "./facts.js";
import type { Connection } from "./open.js";
import { RecordReader } from "./reader.js";
import { num } from "./rows.js";
import { now, Statements } from "./statements.js";

/** The part of {@link RecordWriter} that writes everything but runs. */
export class FactWriter extends RecordReader {
	readonly #sql: Statements;

	/** @internal Use `createRecord` or `openRecord`. */
	constructor(database: Connection, path: string) {
		super(database, path);
		this.#sql = new Statements(database, path);
	}

	/** Says that a lab starts on this record. Runs that an earlier start left half-written become `interrupted`. */
	addStart(start: Omit<StartRow, "id" | "at" | "endedAt" | "ended">): number {
		return this.#sql.write(() => {
			const reasons = JSON.stringify(["its lab was killed before it finished"]);
			this.#sql.run(
				"UPDATE run SET state = 'interrupted', reasons = ?, ended_at = ? WHERE state = 'started'",
				reasons,
				now(),
			);
			return this.#sql.insert("start", {
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
		this.#sql.write(() => this.#sql.run("UPDATE start SET ended = ?, ended_at = ? WHERE id = ?", ended, now(), id));
	}

	/** Writes a design down, once: the same one again changes nothing. Gives its sha256. */
	addDesign(name: string, design: Json): string {
		const json = JSON.stringify(design);
		const hash = sha256(json);
		this.#sql.write(() =>
			this.#sql.run(
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
		this.#sql.write(() =>
			this.#sql.insert("guess", {
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
		this.#sql.write(() =>
			this.#sql.insert("environment", { start_id: startId, at: now(), json: JSON.stringify(environment) }),
		);
	}

	/** Sets or replaces what is known of a model; its bit verdict is kept while the file is the same. */
	putModel(model: Omit<ModelRow, "at" | "bits">): void {
		this.#sql.write(() =>
			this.#sql.run(
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
		this.#sql.write(() => {
			const id = this.#sql.insert("model_alone", {
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
				this.#sql.insert("model_alone_size", {
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
		this.#sql.write(() => {
			const id = this.#sql.insert("bit_check", {
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
				this.#sql.insert("bit_check_size", {
					check_id: id,
					size: size.size,
					differing_rows: size.differingRows,
					max_ulp: size.maxUlp,
					max_abs: size.maxAbs,
				});
			}
			if (check.threads !== 1) return;
			const verdict = check.identical ? "identical" : "differ";
			this.#sql.run("UPDATE model SET bits = ? WHERE name = ? AND sha256 = ?", verdict, check.model, check.modelSha256);
		});
	}

	/**
	 * Keeps the single-row score of every request of the list, as float32 bits: what each answer is held against. Once
	 * kept, the scores of a model file stay as they are, since stored answers refer to them.
	 */
	putSingleScores(model: string, modelSha256: string, bits: Uint32Array): void {
		const { length, data } = encodeColumn(bits);
		this.#sql.write(() =>
			this.#sql.run(
				"INSERT INTO single_score (model, model_sha256, length, data) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
				model,
				modelSha256,
				length,
				data,
			),
		);
	}

	addProgress(startId: number, text: string): void {
		this.#sql.write(() => this.#sql.insert("progress", { start_id: startId, at: now(), text }));
	}

	addNote(kind: string, text: string, startId: number | null = null): void {
		this.#sql.write(() =>
			this.#sql.insert("note", { start_id: startId, at: now(), kind, text, added_later: this.#later() }),
		);
	}

	#later(): number {
		const row = this.query(
			"SELECT (SELECT count(*) FROM run WHERE state = 'finished') + (SELECT count(*) FROM model_alone) AS timed",
		)[0];
		return Number(row !== undefined && num(row, "timed") > 0);
	}
}

function sha256(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}
