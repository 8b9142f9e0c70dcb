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
import { flag, json, maybe, num, type Row, text, word } from "./rows.js";

export function toStart(row: Row): StartRow {
	return {
		id: num(row, "id"),
		at: text(row, "at"),
		pid: num(row, "pid"),
		host: text(row, "host"),
		boot: text(row, "boot"),
		purpose: text(row, "purpose"),
		codeHash: text(row, "code_hash"),
		modelHashes: json(row, "model_hashes"),
		endedAt: maybe(row, "ended_at", text),
		ended: maybe(row, "ended", word("finished", "interrupted", "failed")),
	};
}

export function toDesign(row: Row): DesignRow {
	return {
		id: num(row, "id"),
		at: text(row, "at"),
		name: text(row, "name"),
		sha256: text(row, "sha256"),
		design: json(row, "json"),
		addedLater: flag(row, "added_later"),
	};
}

export function toGuess(row: Row): GuessRow {
	return {
		id: num(row, "id"),
		at: text(row, "at"),
		key: text(row, "key"),
		author: word("author", "reader")(row, "author"),
		text: text(row, "text"),
		value: json(row, "value"),
		sha256: text(row, "sha256"),
		addedLater: flag(row, "added_later"),
	};
}

export function toEnvironment(row: Row): EnvironmentRow {
	return {
		...json<EnvironmentRow>(row, "json"),
		id: num(row, "id"),
		startId: num(row, "start_id"),
		at: text(row, "at"),
	};
}

export function toModel(row: Row): ModelRow {
	return {
		name: text(row, "name"),
		at: text(row, "at"),
		sha256: text(row, "sha256"),
		averagePrecision: maybe(row, "average_precision", num),
		bits: maybe(row, "bits", word("identical", "differ")),
		facts: json(row, "json"),
	};
}

/** `sizes`: the rows of model_alone_size that belong to it. */
export function toModelAlone(row: Row, sizes: readonly Row[]): ModelAloneRow {
	return {
		id: num(row, "id"),
		startId: num(row, "start_id"),
		at: text(row, "at"),
		model: text(row, "model"),
		round: num(row, "round"),
		pid: num(row, "pid"),
		order: json(row, "sizes"),
		budgetMs: num(row, "budget_ms"),
		quiet: json(row, "quiet"),
		canaryBeforeNs: maybe(row, "canary_before_ns", num),
		canaryAfterNs: maybe(row, "canary_after_ns", num),
		sizes: sizes.map((size) => ({
			size: num(size, "size"),
			calls: num(size, "calls"),
			minNs: num(size, "min_ns"),
			p25Ns: num(size, "p25_ns"),
			p50Ns: num(size, "p50_ns"),
			p75Ns: num(size, "p75_ns"),
			p99Ns: num(size, "p99_ns"),
			meanNs: num(size, "mean_ns"),
		})),
	};
}

/** `sizes`: the rows of bit_check_size that belong to it. */
export function toBitCheck(row: Row, sizes: readonly Row[]): BitCheckRow {
	return {
		id: num(row, "id"),
		startId: num(row, "start_id"),
		at: text(row, "at"),
		model: text(row, "model"),
		modelSha256: text(row, "model_sha256"),
		threads: num(row, "threads"),
		rows: num(row, "rows"),
		distinctScores: num(row, "distinct_scores"),
		identical: flag(row, "identical"),
		sizes: sizes.map((size) => ({
			size: num(size, "size"),
			differingRows: num(size, "differing_rows"),
			maxUlp: num(size, "max_ulp"),
			maxAbs: num(size, "max_abs"),
		})),
	};
}

export function toProgress(row: Row): ProgressRow {
	return { id: num(row, "id"), startId: num(row, "start_id"), at: text(row, "at"), text: text(row, "text") };
}

export function toNote(row: Row): NoteRow {
	return {
		id: num(row, "id"),
		startId: maybe(row, "start_id", num),
		at: text(row, "at"),
		kind: text(row, "kind"),
		text: text(row, "text"),
		addedLater: flag(row, "added_later"),
	};
}
