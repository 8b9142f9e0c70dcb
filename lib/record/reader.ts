import { type ColumnArray, type ColumnType, decodeColumn } from "./codec.js";
import { ColumnSet } from "./columnset.js";
import { RecordError, readError } from "./errors.js";
import type {
	BitCheckRow,
	DesignRow,
	EnvironmentRow,
	GuessRow,
	ModelAloneRow,
	ModelRow,
	NoteRow,
	ProgressRow,
	StartRow,
} from "./facts.js";
import { fromGaps, loadBatches, loadRequests, loadStamps } from "./families.js";
import { type Connection, closeDatabase } from "./open.js";
import * as facts from "./readfacts.js";
import { toRun } from "./readruns.js";
import { bytes, isRow, num, type Row } from "./rows.js";
import type { BatchColumns, FinishedRun, RequestColumns, RunFilter, RunRow, StampColumns } from "./runs.js";

const SUPERSEDED = `EXISTS (SELECT 1 FROM run later WHERE later.slot = run.slot
  AND later.attempt > run.attempt AND later.state = 'finished')`;

/**
 * Reads one record. Every method asks the file anew, so a reader held open beside a running lab sees each run as it
 * finishes. Times are ns since the run's epoch, as plain numbers.
 *
 * @example
 * const record = openRecord("outputs/latest/lab.sqlite");
 * for (const run of record.finishedRuns({ kind: "open", model: "gbt", setting: "b32w0" })) {
 *   const { scheduledNs, receivedNs } = record.requests(run.id);
 * }
 */
export class RecordReader {
	readonly path: string;
	readonly readonly: boolean;
	readonly #database: Connection;

	/** @internal Use `openRecord`. */
	constructor(database: Connection, path: string) {
		this.#database = database;
		this.path = path;
		this.readonly = database.readonly;
	}

	/** Frees the file. Without another reader, a closed record is one plain file. */
	close(): void {
		closeDatabase(this.#database, this.readonly);
	}

	/** Any read-only SQL of your own. The README beside this module says what the tables hold. */
	query(sql: string, ...parameters: readonly (string | number)[]): Row[] {
		try {
			const statement = this.#database.prepare(sql);
			if (!statement.readonly) throw new RecordError("READ_ONLY", `query() only reads; refused: ${sql}`);
			return statement.all(...parameters).filter(isRow);
		} catch (error) {
			throw readError(error, this.path);
		}
	}

	/** Every start of a lab on this record, oldest first. */
	starts(): StartRow[] {
		return this.query("SELECT * FROM start ORDER BY id").map(facts.toStart);
	}

	/** Oldest first. */
	designs(): DesignRow[] {
		return this.query("SELECT * FROM design ORDER BY id").map(facts.toDesign);
	}

	/** Oldest first; a guess that was made twice is there twice. */
	guesses(): GuessRow[] {
		return this.query("SELECT * FROM guess ORDER BY id").map(facts.toGuess);
	}

	/** The machine, once a start, oldest first. */
	environments(): EnvironmentRow[] {
		return this.query("SELECT * FROM environment ORDER BY id").map(facts.toEnvironment);
	}

	models(): ModelRow[] {
		return this.query("SELECT * FROM model ORDER BY name").map(facts.toModel);
	}

	model(name: string): ModelRow | undefined {
		return this.models().find((model) => model.name === name);
	}

	/** Part A, by model and round; with `model`, of that one. */
	modelAlone(model?: string): ModelAloneRow[] {
		const sizes = groupBy(this.query("SELECT * FROM model_alone_size ORDER BY round_id, size"), "round_id");
		return this.query("SELECT * FROM model_alone ORDER BY model, round")
			.map((row) => facts.toModelAlone(row, sizes.get(num(row, "id")) ?? []))
			.filter((row) => model === undefined || row.model === model);
	}

	/** By model and number of threads; with `model`, of that one. */
	bitChecks(model?: string): BitCheckRow[] {
		const sizes = groupBy(this.query("SELECT * FROM bit_check_size ORDER BY check_id, size"), "check_id");
		return this.query("SELECT * FROM bit_check ORDER BY model, threads")
			.map((row) => facts.toBitCheck(row, sizes.get(num(row, "id")) ?? []))
			.filter((row) => model === undefined || row.model === model);
	}

	/**
	 * Float32 bits of the single-row score of every request of the list; `bodyIndex` of {@link requests} points into it.
	 * Undefined when the model's answers were not compared with anything.
	 *
	 * @param sha256 of the model file; absent: the file that was measured last
	 */
	singleScoreBits(model: string, sha256?: string): Uint32Array | undefined {
		const row = this.query("SELECT * FROM single_score WHERE model = ? ORDER BY id DESC", model).find(
			(candidate) => sha256 === undefined || candidate.model_sha256 === sha256,
		);
		return row === undefined ? undefined : decodeAs(row, "u4", Uint32Array);
	}

	/**
	 * The runs that count, in the order in which they were made: the last finished attempt of every slot.
	 * Half-written, failed and superseded ones are in {@link allRuns}.
	 */
	finishedRuns(filter: RunFilter = {}): FinishedRun[] {
		const runs: FinishedRun[] = [];
		for (const run of this.allRuns(filter)) if (run.state === "finished" && !run.superseded) runs.push(run);
		return runs;
	}

	/** Every row, whatever became of it, in the order in which they were begun. */
	allRuns(filter: RunFilter = {}): RunRow[] {
		return this.query(`SELECT run.*, ${SUPERSEDED} AS superseded FROM run ORDER BY id`)
			.map(toRun)
			.filter(
				(run) =>
					(filter.kind === undefined || run.kind === filter.kind) &&
					(filter.model === undefined || run.model === filter.model) &&
					(filter.setting === undefined || run.setting === filter.setting) &&
					(filter.role === undefined || run.role === filter.role) &&
					(filter.round === undefined || run.round === filter.round) &&
					(filter.rateMultiple === undefined || run.rateMultiple === filter.rateMultiple),
			);
	}

	/** @throws {RecordError} `UNKNOWN_RUN` */
	run(id: number): RunRow {
		const row = this.query(`SELECT run.*, ${SUPERSEDED} AS superseded FROM run WHERE id = ?`, id)[0];
		if (row !== undefined) return toRun(row);
		const range = this.query("SELECT min(id) AS low, max(id) AS high FROM run")[0];
		const known =
			range?.low == null ? "the record has no runs yet" : `the record has runs ${range.low} to ${range.high}`;
		throw new RecordError("UNKNOWN_RUN", `there is no run ${id}; ${known}`);
	}

	/** What happened to each request of a finished run. About 45 bytes a request in memory. */
	requests(id: number): RequestColumns {
		const columns = this.#columns(id, "request");
		const scheduled = this.query(
			"SELECT arrivals.length, arrivals.data FROM run JOIN arrivals ON arrivals.id = arrivals_id WHERE run.id = ?",
			id,
		)[0];
		const single = this.query(
			"SELECT single_score.* FROM run JOIN single_score ON single_score.id = single_score_id WHERE run.id = ?",
			id,
		)[0];
		const scheduledNs = scheduled === undefined ? undefined : fromGaps(decodeAs(scheduled, "f8", Float64Array));
		return loadRequests(columns, scheduledNs, single === undefined ? undefined : decodeAs(single, "u4", Uint32Array));
	}

	/** The batches of a finished run; empty columns without a batcher. */
	batches(id: number): BatchColumns {
		return loadBatches(this.#columns(id, "batch"));
	}

	/** The stage stamps of a finished run; undefined in the rounds that keep none. */
	stamps(id: number): StampColumns | undefined {
		const columns = this.#columns(id, "stamp", true);
		return columns.empty ? undefined : loadStamps(columns);
	}

	progress(): ProgressRow[] {
		return this.query("SELECT * FROM progress ORDER BY id").map(facts.toProgress);
	}

	notes(): NoteRow[] {
		return this.query("SELECT * FROM note ORDER BY id").map(facts.toNote);
	}

	#columns(id: number, family: "request" | "batch" | "stamp", maybeNone = false): ColumnSet {
		const rows = this.query("SELECT * FROM run_column WHERE run_id = ? AND family = ?", id, family);
		if (rows.length === 0 && !maybeNone) {
			const run = this.run(id);
			throw new RecordError("UNKNOWN_RUN", `run ${id} has no columns: it is ${run.state}`, {
				hint: "only finished runs have columns",
			});
		}
		return new ColumnSet(rows, `run ${id}`);
	}
}

function groupBy(rows: readonly Row[], key: string): Map<number, Row[]> {
	const groups = new Map<number, Row[]>();
	for (const row of rows) {
		const id = num(row, key);
		const group = groups.get(id);
		if (group === undefined) groups.set(id, [row]);
		else group.push(row);
	}
	return groups;
}

/** The column in a row's `length` and `data`. */
function decodeAs<T extends ColumnArray>(row: Row, type: ColumnType, kind: new (length: number) => T): T {
	const column = decodeColumn({ type, length: num(row, "length"), data: bytes(row, "data") }, `row ${String(row.id)}`);
	if (column instanceof kind) return column;
	throw new RecordError("RECORD_CORRUPT", `a column is a ${column.constructor.name}; expected ${kind.name}`);
}
