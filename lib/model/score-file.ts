import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { CodedError } from "../base/index.js";
import { type BitDifference, compareBits, scoreBits } from "./bits.js";

/** Single-row scores to carry to another machine. */
export interface ScoreFile {
	readonly model: string;
	/** SHA-256 of the rows that were scored: scores of other rows say nothing. */
	readonly rowsSha256: string;
	/** SHA-256 of the model's file. */
	readonly modelSha256: string;
	/** `linux arm64, onnxruntime 1.27.0`, … */
	readonly madeOn: string;
	readonly scores: Float32Array;
}

const scoreFileSchema = z.object({
	format: z.literal(1),
	model: z.string(),
	rowsSha256: z.string(),
	modelSha256: z.string(),
	madeOn: z.string(),
	/** Eight hexadecimal digits a score, so that not one bit is lost in writing. */
	float32Bits: z.string().regex(/^(?:[0-9a-f]{8})*$/),
});

export function rowsHash(columns: Readonly<Record<string, ArrayBufferView>>): string {
	const hash = createHash("sha256");
	for (const [name, { buffer, byteOffset, byteLength }] of Object.entries(columns).sort(([a], [b]) => (a < b ? -1 : 1)))
		hash.update(name).update(new Uint8Array(buffer, byteOffset, byteLength));
	return hash.digest("hex");
}

export function writeScoreFile(path: string, { scores, ...rest }: ScoreFile): void {
	const float32Bits = Array.from(scoreBits(scores), (bits) => bits.toString(16).padStart(8, "0")).join("");
	writeFileSync(path, `${JSON.stringify({ format: 1, ...rest, float32Bits })}\n`);
}

/** @throws {CodedError} `SCORE_FILE_MISSING`, `SCORE_FILE_FOREIGN` */
export function readScoreFile(path: string): ScoreFile {
	let text: string;
	try {
		text = readFileSync(path, "utf8");
	} catch (cause) {
		throw new CodedError("SCORE_FILE_MISSING", `cannot read the score file ${path}`, {
			hint: "workbook bit-check --save FILE writes one on the other machine",
			cause,
		});
	}
	const foreign = (cause: unknown) =>
		new CodedError("SCORE_FILE_FOREIGN", `${path} is not a score file of this version`, { cause });
	let parsed: unknown;
	try {
		parsed = JSON.parse(text);
	} catch (cause) {
		throw foreign(cause);
	}
	const result = scoreFileSchema.safeParse(parsed);
	if (!result.success) throw foreign(result.error);
	const { float32Bits, format: _, ...rest } = result.data;
	const scores = new Float32Array(float32Bits.length / 8);
	const bits = scoreBits(scores);
	for (let row = 0; row < bits.length; row++) bits[row] = Number.parseInt(float32Bits.slice(8 * row, 8 * row + 8), 16);
	return { ...rest, scores };
}

/** The same rows and model on two machines: equal, or how many rows differ and by how much. */
export interface MachineComparison extends BitDifference {
	readonly rows: number;
	readonly equal: boolean;
	readonly other: string;
}

/**
 * Compares single-row scores of two machines.
 *
 * @throws {CodedError} `SCORES_NOT_COMPARABLE` when the rows or the model are others.
 */
export function compareMachines(own: ScoreFile, other: ScoreFile): MachineComparison {
	const refuse = (what: string, mine: string, theirs: string) =>
		new CodedError("SCORES_NOT_COMPARABLE", `the other machine scored other ${what}: ${theirs} there, ${mine} here`, {
			hint: "copy store.sqlite and the model from there, or build both from the same data and seed",
			exitCode: 1,
		});
	if (own.model !== other.model) throw refuse("models", own.model, other.model);
	if (own.modelSha256 !== other.modelSha256)
		throw refuse("models", `sha256 ${own.modelSha256.slice(0, 12)}…`, `sha256 ${other.modelSha256.slice(0, 12)}…`);
	if (own.rowsSha256 !== other.rowsSha256 || own.scores.length !== other.scores.length)
		throw refuse("rows", `${own.scores.length} rows`, `${other.scores.length} rows`);
	const difference = compareBits(own.scores, other.scores);
	return { rows: own.scores.length, equal: difference.differingRows === 0, other: other.madeOn, ...difference };
}
