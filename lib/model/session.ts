import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { CodedError } from "../base/index.js";
import { type BatchedTensor, readInputs, readOutput, type ScoreOutput } from "./graph-shape.js";
import { checkInput } from "./input.js";
import { Lifetime } from "./lifetime.js";
import { loadRuntime, type Runtime } from "./runtime.js";
import type { Column, Columns, ColumnType, Model } from "./types.js";

export interface OnnxModelOptions {
	/** @default the file's name without `.onnx`; `"model"` for bytes */
	readonly name?: string;
	/**
	 * Threads inside one model call. More than one changes the order of sums, and so the last bits of a score.
	 * @default 1
	 */
	readonly threads?: number;
	/** The output that holds the scores. @default the only float output */
	readonly output?: string;
	/** Calls made before the model is handed out, so that the first real one is like the rest. @default 20 */
	readonly warmupCalls?: number;
}

/**
 * One thread, one operator after the other, and no thread that spins while it waits for work: on a small machine
 * a spinning thread takes the core from the very service that is being measured.
 */
function sessionOptions(threads: number): InferenceSession.SessionOptions {
	return {
		executionProviders: ["cpu"],
		intraOpNumThreads: threads,
		interOpNumThreads: 1,
		executionMode: "sequential",
		graphOptimizationLevel: "all",
		logSeverityLevel: 3,
		extra: { session: { intra_op: { allow_spinning: "0" }, inter_op: { allow_spinning: "0" } } },
	};
}

function emptyColumn(type: ColumnType, length: number): Column {
	if (type === "float32") return new Float32Array(length);
	if (type === "float64") return new Float64Array(length);
	return type === "int32" ? new Int32Array(length) : new BigInt64Array(length);
}

class SessionModel implements Model {
	readonly name: string;
	readonly inputs: readonly BatchedTensor[];
	readonly outputs: readonly BatchedTensor[];
	readonly #runtime: Runtime;
	readonly #session: InferenceSession;
	readonly #score: ScoreOutput;
	readonly #fetches: readonly string[];
	readonly #lifetime: Lifetime;

	constructor(name: string, runtime: Runtime, session: InferenceSession, outputName: string | undefined) {
		this.name = name;
		this.#runtime = runtime;
		this.#session = session;
		this.inputs = readInputs(session.inputMetadata);
		this.#score = readOutput(session.outputMetadata, outputName);
		this.outputs = [this.#score.output];
		this.#fetches = [this.#score.output.name];
		this.#lifetime = new Lifetime(name, () => session.release());
	}

	async score(columns: Columns, rows: number): Promise<Float32Array> {
		this.#lifetime.enter();
		try {
			const feeds: Record<string, Tensor> = {};
			const checked = checkInput(this.inputs, columns, rows);
			for (let index = 0; index < checked.length; index++) {
				const { name, type, tail } = this.inputs[index] as BatchedTensor;
				feeds[name] = new this.#runtime.Tensor(type, checked[index] as Column, [rows, ...tail]);
			}
			const fetched = await this.#session.run(feeds, this.#fetches);
			return this.#read(fetched[this.#score.output.name]?.data, rows);
		} finally {
			this.#lifetime.leave();
		}
	}

	close(): Promise<void> {
		return this.#lifetime.close();
	}

	#read(data: unknown, rows: number): Float32Array {
		const { output, column } = this.#score;
		if (!(data instanceof Float32Array || data instanceof Float64Array) || data.length !== rows * output.width) {
			const got = data instanceof Float32Array || data instanceof Float64Array ? `${data.length} values` : typeof data;
			throw new CodedError(
				"BAD_MODEL_OUTPUT",
				`output "${output.name}" must answer ${rows} rows with ${rows * output.width} values, got ${got}`,
			);
		}
		if (output.width === 1) return data instanceof Float32Array ? data : Float32Array.from(data);
		const scores = new Float32Array(rows);
		for (let row = 0; row < rows; row++) scores[row] = data[row * output.width + column] as number;
		return scores;
	}
}

/** One row and three: a graph that fixes or mixes its rows shows itself here, not in the middle of a measurement. */
async function warmUp(model: SessionModel, calls: number): Promise<void> {
	for (const rows of [1, 3, ...Array.from({ length: Math.max(0, calls - 2) }, () => 1)]) {
		const columns = Object.fromEntries(
			model.inputs.map(({ name, type, width }) => [name, emptyColumn(type, rows * width)]),
		);
		await model.score(columns, rows);
	}
}

/**
 * Loads an `.onnx` file (or its bytes) with one dynamic length, the rows of a batch. Scores are float32; a model
 * that answers float64 is rounded.
 *
 * @throws {CodedError} `MISSING_PACKAGE`, `NO_MODEL_FILE`, or `BAD_MODEL_FILE` when ONNX Runtime cannot read the file
 *   or its inputs and outputs have other dynamic lengths than the first; the message names them.
 *
 * @example
 * const model = await loadOnnxModel("my-model.onnx");
 * const scores = await model.score({ x: new Float32Array(6 * 32) }, 32); // 32 scores
 */
export async function loadOnnxModel(source: string | Uint8Array, options: OnnxModelOptions = {}): Promise<Model> {
	const { threads = 1, warmupCalls = 20 } = options;
	const name = options.name ?? (typeof source === "string" ? basename(source, ".onnx") : "model");
	if (!Number.isInteger(threads) || threads < 1)
		throw new CodedError("BAD_OPTION", `threads must be a whole number of at least 1, got ${threads}`);
	if (typeof source === "string" && !existsSync(source))
		throw new CodedError("NO_MODEL_FILE", `there is no model file "${source}"`);
	const runtime = await loadRuntime();
	let session: InferenceSession | undefined;
	try {
		session = await (typeof source === "string"
			? runtime.InferenceSession.create(source, sessionOptions(threads))
			: runtime.InferenceSession.create(source, sessionOptions(threads)));
		const model = new SessionModel(name, runtime, session, options.output);
		await warmUp(model, warmupCalls);
		return model;
	} catch (cause) {
		await session?.release();
		if (cause instanceof CodedError) throw cause;
		const reason = cause instanceof Error ? cause.message.trim() : String(cause);
		throw new CodedError("BAD_MODEL_FILE", `ONNX Runtime cannot use the model "${name}": ${reason}`, { cause });
	}
}
