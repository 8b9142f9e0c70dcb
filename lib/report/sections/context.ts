import { type Cell, cellsOf, modelsOf } from "../cells.js";
import type { Computed } from "../compute.js";
import { type Fact, fact, prose, rounded } from "../prose.js";
import { besideOf, REFERENCES } from "../reference.js";
import type { RecordFacts } from "../source.js";

/** One part of a report: Markdown whose numbers carry their keys. */
export interface Section {
	/** `headline`, `price-of-wait`, … */
	readonly id: string;
	readonly title: string;
	readonly markdown: string;
	/** True: not in the design; thought of after results had been seen. */
	readonly addedLater: boolean;
}

/** The workbook's first model stands first; the others keep their order. */
const gbtFirst = (a: string, b: string) => Number(b === "gbt") - Number(a === "gbt");

/** What every section is written from. */
export class Context {
	readonly facts: RecordFacts;
	readonly computed: Computed;
	readonly cells: readonly Cell[];
	readonly models: readonly string[];

	constructor(facts: RecordFacts, computed: Computed) {
		this.facts = facts;
		this.computed = computed;
		this.models = modelsOf([...facts.runs, ...facts.modelAlone.map((row) => ({ model: row.model }))]).sort(gbtFirst);
		this.cells = cellsOf(facts.runs).sort((a, b) => gbtFirst(a.model, b.model));
	}

	value(key: string): number | undefined {
		return this.computed.numbers.get(key);
	}

	/** A number with its key, or words where the record has none. From a summarised copy it is marked with ≈. */
	show(key: string, unit = "", missing = "not measured"): string {
		const value = this.value(key);
		if (value === undefined) return missing;
		return prose`${this.fact(key, value, unit)}`;
	}

	fact(key: string, value: number, unit = "", text = rounded(value)): Fact {
		return fact(key, value, unit, this.computed.summarised && isLatency(key) ? `≈ ${text}` : text);
	}

	/** The difference of two numbers of the record, with the key of both. */
	minus(first: string, second: string, value: number, unit = ""): string {
		return prose`${this.fact(`minus/${first};${second}`, value, unit)}`;
	}

	/** One number of the record divided by another, with the key of both. */
	ratio(first: string, second: string, value: number, unit = ""): string {
		return prose`${this.fact(`ratio/${first};${second}`, value, unit)}`;
	}

	/** The lesson's number for a key, in the key's unit; "–" where it has none. */
	lesson(key: string, unit = ""): string {
		const found = besideOf(key);
		if (found === undefined) return "–";
		return prose`${fact(`reference/${found.id}`, REFERENCES.get(found.id)?.value ?? found.value, unit, rounded(found.value))}`;
	}

	ratesOf(model: string): number[] {
		return [...new Set(this.cells.filter((cell) => cell.model === model).map((cell) => cell.rateMultiple))].sort(
			(a, b) => a - b,
		);
	}

	/** The rate at which it is quiet: the lowest that was tried. */
	quietRateOf(model: string): number | undefined {
		return this.ratesOf(model)[0];
	}

	/** Settings with a batcher, as they were measured with this model. */
	batchedOf(model: string): string[] {
		return this.settingsOf(model).filter((setting) => /^b\d/.test(setting));
	}

	settingsOf(model: string): string[] {
		return [...new Set(this.cells.filter((cell) => cell.model === model).map((cell) => cell.setting))];
	}

	cell(model: string, setting: string, rateMultiple: number): Cell | undefined {
		return this.cells.find(
			(one) => one.model === model && one.setting === setting && one.rateMultiple === rateMultiple,
		);
	}

	/** True when every round kept up and in none the queue still grew: only then a latency is a property of the service. */
	stable(cell: Cell): boolean {
		const key = keyOf(cell);
		return (
			this.value(`${key}/keptUpRounds`) === this.value(`${key}/rounds`) && this.value(`${key}/growingRounds`) === 0
		);
	}
}

/** Latencies of a summarised copy are as exact as its bins; counts and shares in the same families are exact. */
function isLatency(key: string): boolean {
	return /Ms|\/p\d/.test(key) && !/\/(?:agree|rounds|coveragePercent|smallestP|toldApart)$/.test(key);
}

export function keyOf({ model, setting, rateMultiple }: Pick<Cell, "model" | "setting" | "rateMultiple">): string {
	return `sweep/${model}/${setting}/x${rateMultiple}`;
}

/** "0.5 × S" */
export function rateText(rateMultiple: number): string {
	return prose`${fact(`rate/x${rateMultiple}`, rateMultiple, "× S")}`;
}

/** "`gbt` `b32w0` at 0.5 × S" */
export function placeOf({ model, setting, rateMultiple }: Pick<Cell, "model" | "setting" | "rateMultiple">): string {
	return `${code(model)} ${code(setting)} at ${rateText(rateMultiple)}`;
}

export function code(text: string): string {
	return `\`${text}\``;
}

/** "a", "a and b", "a, b and c". */
export function listed(items: readonly string[]): string {
	return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
