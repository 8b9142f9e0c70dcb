import { ulpDistance } from "../base/index.js";
import { OUTCOMES, type RequestColumns } from "./protocol.js";

/** An answer that is not the single-row score of its customer, bit for bit. */
export interface DifferingScore {
	readonly request: number;
	/** From the body that was sent; null where it names none. */
	readonly customerId: number | null;
	readonly month: string | null;
	/** Rows in the model call that made the answer. */
	readonly batchSize: number;
	/** Float32 bits in hexadecimal: `3e4ccccd`. */
	readonly expectedBits: string;
	readonly answeredBits: string;
	/** How many float32 numbers lie from one to the other. */
	readonly ulp: number;
}

export interface Differing {
	/** Answers that were compared. */
	readonly compared: number;
	readonly count: number;
	readonly largestUlp: number;
	/** The first few. */
	readonly examples: readonly DifferingScore[];
}

const EXAMPLES = 5;

function hex(bits: number): string {
	return bits.toString(16).padStart(8, "0");
}

function namesIn(body: string | undefined): Pick<DifferingScore, "customerId" | "month"> {
	let value: unknown;
	try {
		value = JSON.parse(body ?? "");
	} catch {
		return { customerId: null, month: null };
	}
	const named = typeof value === "object" && value !== null ? value : {};
	return {
		customerId: "customerId" in named && typeof named.customerId === "number" ? named.customerId : null,
		month: "month" in named && typeof named.month === "string" ? named.month : null,
	};
}

/**
 * Holds every answer against the single-row score of the body that was sent.
 *
 * @param expectedBits float32 bits, one for each body
 * @param bodies the bodies, for names in the examples
 */
export function differingScores(
	{ outcome, bodyIndex, scoreBits, batchSize }: RequestColumns,
	expectedBits: Uint32Array,
	bodies: readonly string[] = [],
): Differing {
	const examples: DifferingScore[] = [];
	let [compared, count, largestUlp] = [0, 0, 0];
	for (let request = 0; request < outcome.length; request++) {
		if (OUTCOMES[outcome[request] as number] !== "answered") continue;
		compared++;
		const body = bodyIndex[request] as number;
		const answered = scoreBits[request] as number;
		const expected = expectedBits[body];
		if (expected === undefined)
			throw new RangeError(`body ${body} has no single-row score; there are ${expectedBits.length}`);
		if (answered === expected) continue;
		count++;
		const ulp = ulpDistance(answered, expected);
		largestUlp = Math.max(largestUlp, ulp);
		if (examples.length < EXAMPLES) {
			examples.push({
				request,
				...namesIn(bodies[body]),
				batchSize: batchSize[request] as number,
				expectedBits: hex(expected),
				answeredBits: hex(answered),
				ulp,
			});
		}
	}
	return { compared, count, largestUlp, examples };
}
