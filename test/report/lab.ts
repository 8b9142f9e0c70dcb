import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecord, type RecordWriter } from "batching-lab/record";
import { addAlone, addBits, ENVIRONMENT } from "./made-up/facts.js";
import { makeRun, REQUESTS, type RunSketch } from "./made-up/run.js";
import { saturationOf } from "./made-up/server.js";

export { ENVIRONMENT } from "./made-up/facts.js";

/** A folder that goes away with the test. */
export function scratch(t: { after(action: () => void): void }): string {
	const folder = mkdtempSync(join(tmpdir(), "report-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

export interface LabOptions {
	readonly models?: readonly string[];
	readonly settings?: readonly string[];
	readonly rateMultiples?: readonly number[];
	readonly rounds?: number;
	readonly seconds?: number;
	readonly seed?: number;
	/** Answers of `ft` whose bits are not the single-row score's. */
	readonly differing?: number;
	/** Called before the first timed run. */
	readonly before?: (writer: RecordWriter) => void;
}

function write(writer: RecordWriter, startId: number, sketch: RunSketch, position: number, options: LabOptions): void {
	const { seconds = 0.3, seed = 1 } = options;
	const s = saturationOf(sketch.model);
	const perSecond = sketch.rateMultiple === null ? s : s * sketch.rateMultiple;
	// The same arrivals for every setting of a round and rate.
	const arrivals =
		seed * 7919 + sketch.round * 131 + Math.round((sketch.rateMultiple ?? 9) * 100) + sketch.model.length;
	const { id } = writer.beginRun({
		...sketch,
		startId,
		position,
		ratePerSecond: sketch.rateMultiple === null ? null : perSecond,
		saturationPerSecond: sketch.rateMultiple === null ? null : s,
		seed: arrivals,
		seconds,
		connections: 512,
		topology: "shared",
		servicePin: "1",
		clientPin: "1",
	});
	const compared = sketch.model === "ft" && !sketch.setting.startsWith("nomodel");
	const differing = compared ? (options.differing ?? 0) : 0;
	const { columns, result } = makeRun(sketch, { perSecond, seconds, seed: arrivals, differing });
	writer.finishRun(id, result, columns);
}

/** A whole record of a made-up lab in a folder of its own; every number in it is worked out, none is timed. */
export function makeLab(folder: string, options: LabOptions = {}): string {
	const {
		models = ["gbt", "ft"],
		settings = ["none", "b32w0", "b32w2"],
		rateMultiples = [0.5, 1.6],
		rounds = 5,
	} = options;
	mkdirSync(folder, { recursive: true });
	const writer = createRecord(join(folder, "lab.sqlite"));
	const startId = writer.addStart({
		pid: 1,
		host: "here",
		boot: "b",
		purpose: "sweep test",
		codeHash: "c0de",
		modelHashes: {},
	});
	writer.addDesign("lab", { profile: { name: "test", rounds, models: [...models] } });
	options.before?.(writer);
	writer.addEnvironment(startId, ENVIRONMENT);
	for (const model of models) {
		writer.putModel({
			name: model,
			sha256: `hash of ${model}`,
			averagePrecision: model === "gbt" ? 0.5481 : null,
			facts: {},
		});
		writer.putSingleScores(
			model,
			`hash of ${model}`,
			Uint32Array.from({ length: REQUESTS }, (_, body) => 0x3e000000 + body * 1000),
		);
		for (let round = 1; round <= rounds; round++) addAlone(writer, startId, model, round);
		addBits(writer, startId, model);
	}
	let position = 0;
	for (let round = 1; round <= rounds; round++) {
		for (const model of models) {
			for (const setting of ["none", "b32w0", "nomodel", "nomodel-deferred"]) {
				const role = setting.startsWith("nomodel") ? "control" : "setting";
				write(
					writer,
					startId,
					{ kind: "closed", model, setting, role, round, rateMultiple: null },
					++position,
					options,
				);
			}
			for (const rateMultiple of rateMultiples) {
				for (const setting of settings) {
					write(
						writer,
						startId,
						{ kind: "open", model, setting, role: "setting", round, rateMultiple },
						++position,
						options,
					);
				}
				write(
					writer,
					startId,
					{ kind: "open", model, setting: "none", role: "aa", round, rateMultiple },
					++position,
					options,
				);
			}
		}
	}
	writer.endStart(startId, "finished");
	writer.close();
	return folder;
}
