import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { CodedError } from "../../base/index.js";
import { REQUESTS_FILE, STORE_FILE } from "../../shop/index.js";

/** The workbook's own models, in the order in which they are told of. */
export const MODEL_NAMES = ["gbt", "ft", "mlp"] as const;
export type ModelName = (typeof MODEL_NAMES)[number];

export const MANIFEST_FILE = "manifest.json";
export const modelFile = (name: ModelName): string => `${name}.onnx`;

/** Every file that the manifest answers for. */
export const ASSET_FILES: readonly string[] = [STORE_FILE, REQUESTS_FILE, ...MODEL_NAMES.map(modelFile)];

/** What `manifest.json` says: the hash of every file, and how each was made. Nothing of the moment is in it. */
export interface Manifest {
	readonly format: 1;
	/** SHA-256 and length by file name. */
	readonly files: Readonly<Record<string, { readonly sha256: string; readonly bytes: number }>>;
	readonly shop: {
		readonly source: "synthetic" | "imported";
		/** Of the synthetic shop. */
		readonly seed?: number | undefined;
		/** SHA-256 of the imported file. */
		readonly importedSha256?: string | undefined;
		readonly trainRows: number;
		readonly testRows: number;
		/** Share of test rows whose customer bought. */
		readonly baseRate: number;
		readonly requests: number;
	};
	readonly models: {
		readonly gbt: {
			readonly trees: number;
			/** Of all trees together. */
			readonly leaves: number;
			/** Of the largest tree. */
			readonly maxLeaves: number;
			readonly features: number;
			/** Of the ONNX file's own scores on all test rows. */
			readonly testAveragePrecision: number;
		};
		/** Untrained networks: only their cost and their bits are real. */
		readonly ft: { readonly seed: number; readonly trained: false };
		readonly mlp: { readonly seed: number; readonly trained: false };
	};
	readonly madeWith: { readonly node: string; readonly onnxruntime: string };
}

const untrained = z.object({ seed: z.number().int(), trained: z.literal(false) });
const count = z.number().int().nonnegative();
const manifestSchema: z.ZodType<Manifest> = z.object({
	format: z.literal(1),
	files: z.record(z.string(), z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: count })),
	shop: z.object({
		source: z.enum(["synthetic", "imported"]),
		seed: z.number().int().optional(),
		importedSha256: z.string().optional(),
		trainRows: count,
		testRows: count,
		baseRate: z.number(),
		requests: count,
	}),
	models: z.object({
		gbt: z.object({ trees: count, leaves: count, maxLeaves: count, features: count, testAveragePrecision: z.number() }),
		ft: untrained,
		mlp: untrained,
	}),
	madeWith: z.object({ node: z.string(), onnxruntime: z.string() }),
});

/** The manifest of a data folder; undefined where there is none. @throws {CodedError} `MANIFEST_FOREIGN` */
export function readManifest(dataDir: string): Manifest | undefined {
	const path = join(dataDir, MANIFEST_FILE);
	if (!existsSync(path)) return undefined;
	const foreign = (cause: unknown) =>
		new CodedError("MANIFEST_FOREIGN", `${path} is not a manifest of this version`, {
			hint: "workbook data reset makes store, models and manifest anew",
			cause,
		});
	let parsed: unknown;
	try {
		parsed = JSON.parse(readFileSync(path, "utf8"));
	} catch (cause) {
		throw foreign(cause);
	}
	const result = manifestSchema.safeParse(parsed);
	if (!result.success) throw foreign(result.error);
	return result.data;
}

export function sha256(bytes: Uint8Array): string {
	return createHash("sha256").update(bytes).digest("hex");
}

/** How to get back what a file should be: the imported shop comes from the user's own copy, everything else from a seed. */
function remedy(file: string, { shop }: Manifest): string {
	if (shop.source === "imported" && (file === STORE_FILE || file === REQUESTS_FILE))
		return "workbook data import FILE brings the real shop back, workbook data reset goes to the synthetic one";
	if (shop.source === "imported") return "workbook data import FILE trains the models anew on the real shop";
	return "workbook data reset builds store, request list and models anew";
}

/**
 * Holds every file there is against the manifest.
 *
 * @returns the files that are missing.
 * @throws {CodedError} `MANIFEST_MISMATCH` for the first that differs: which, and what to rebuild.
 */
export function verifyFiles(dataDir: string, manifest: Manifest): string[] {
	const missing: string[] = [];
	for (const file of ASSET_FILES) {
		const path = join(dataDir, file);
		if (!existsSync(path)) {
			missing.push(file);
			continue;
		}
		const found = sha256(readFileSync(path));
		const wanted = manifest.files[file]?.sha256 ?? "none";
		if (found !== wanted)
			throw new CodedError(
				"MANIFEST_MISMATCH",
				`${file} in ${dataDir} is not the file that ${MANIFEST_FILE} describes (sha256 ${found.slice(0, 12)}… instead of ${wanted.slice(0, 12)}…), so no number of it can be trusted: ${remedy(file, manifest)}`,
			);
	}
	return missing;
}

/** @throws {CodedError} `MANIFEST_MISMATCH` for a file that is not there and cannot be made again. */
export function missingFile(dataDir: string, file: string, manifest: Manifest): CodedError {
	return new CodedError(
		"MANIFEST_MISMATCH",
		`${file} is missing from ${dataDir}, though ${MANIFEST_FILE} lists it: ${remedy(file, manifest)}`,
	);
}
