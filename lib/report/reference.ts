import { REFERENCE_ROWS } from "./reference-rows.js";

/** One published number. */
export interface Reference {
	readonly id: string;
	readonly quantity: string;
	readonly setting: string;
	readonly rateMultiple: number | null;
	readonly value: number;
	readonly unit: string;
	readonly source: "lesson" | "guide";
}

export const REFERENCES: ReadonlyMap<string, Reference> = new Map(
	REFERENCE_ROWS.map(([id, quantity, setting, rateMultiple, value, unit]) => {
		const source = id.startsWith("guide") ? "guide" : "lesson";
		return [id, { id, quantity, setting, rateMultiple, value, unit, source }];
	}),
);

/** Milliseconds of a published latency, whichever unit it was published in. */
const TO_MS: Readonly<Record<string, number>> = { s: 1000, ms: 1, us: 0.001 };

/**
 * The published number that stands beside a key of the report, in the key's unit; undefined where the lesson has none.
 * The model's name in the key does not matter: the lesson had one model.
 */
export function besideOf(key: string): { readonly id: string; readonly value: number } | undefined {
	const parts = key.split("/");
	const [family = "", , third = "", fourth = "", name = ""] = parts;
	for (const reference of REFERENCES.values()) {
		if (reference.source !== "lesson") continue;
		const { id, quantity, setting, rateMultiple, value, unit } = reference;
		if (family === "alone" && quantity === "per_call" && fourth === "callUs" && setting === rowsText(third))
			return { id, value };
		if (family === "alone" && quantity === "per_row" && fourth === "rowUs" && setting === rowsText(third))
			return { id, value };
		if (family === "alone" && quantity === "fixed_cost" && third === "fixedUs") return { id, value };
		if (family === "alone" && quantity === "row_cost" && third === "marginalUs") return { id, value };
		if (family === "saturation" && third === "none" && quantity === "S" && fourth === "answersPerSecond")
			return { id, value };
		if (family === "batches" && quantity === "mean_batch" && name === "meanBatch") {
			if (setting === third && fourth === `x${rateMultiple}`) return { id, value };
			continue;
		}
		if (family !== "sweep" || setting !== third || fourth !== `x${rateMultiple}`) continue;
		const scale = TO_MS[unit];
		if (scale !== undefined && `${quantity}Ms` === name) return { id, value: value * scale };
		if (quantity === "mean_batch" && name === "meanBatch") return { id, value };
	}
	return undefined;
}

function rowsText(size: string): string {
	return size === "1" ? "1 row" : `${size} rows`;
}
