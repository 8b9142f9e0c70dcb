import assert from "node:assert/strict";
import { test } from "node:test";
import { type Columns, functionModel } from "batching-lab/model";

let called = 0;
const model = functionModel(
	"double",
	[
		{ name: "x", type: "float32", width: 2 },
		{ name: "n", type: "int64", width: 1 },
	],
	(_, rows) => {
		called += 1;
		return new Float32Array(rows);
	},
);
const good: Columns = { x: Float32Array.of(1, 2, 3, 4), n: BigInt64Array.of(1n, 2n) };

const faults: [string, Columns, number, RegExp][] = [
	["a missing column", { x: Float32Array.of(1, 2, 3, 4) }, 2, /"n" is missing/],
	[
		"another element type",
		{ ...good, x: Float64Array.of(1, 2, 3, 4) },
		2,
		/"x" must be a Float32Array, got Float64Array/,
	],
	[
		"a column that is too short",
		{ ...good, x: Float32Array.of(1) },
		2,
		/"x" of 2 rows must hold 2 × 2 = 4 values, got 1/,
	],
	["more rows than values", good, 3, /"x" of 3 rows must hold 3 × 2 = 6 values, got 4/],
	[
		"not a number",
		{ ...good, x: Float32Array.of(1, 2, 3, Number.NaN) },
		2,
		/"x" must be finite, got NaN in row 1, place 1/,
	],
	[
		"infinity",
		{ ...good, x: Float32Array.of(1, Number.NEGATIVE_INFINITY, 3, 4) },
		2,
		/got -Infinity in row 0, place 1/,
	],
	["no rows", good, 0, /rows must be a whole number of at least 1, got 0/],
	["half a row", good, 0.5, /got 0.5/],
];
for (const [what, columns, rows, message] of faults)
	test(`${what} is refused before the model is called`, async () => {
		called = 0;
		await assert.rejects(model.score(columns, rows), { code: "BAD_MODEL_INPUT", message });
		assert.equal(called, 0);
	});

test("two infinities of opposite sign do not hide each other", async () => {
	const x = Float32Array.of(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1, 1);
	await assert.rejects(model.score({ ...good, x }, 2), {
		code: "BAD_MODEL_INPUT",
		message: /got Infinity in row 0, place 0/,
	});
});

test("a column that the model does not ask for is left alone", async () => {
	assert.deepEqual(await model.score({ ...good, more: Float32Array.of(Number.NaN) }, 2), new Float32Array(2));
});

test("a function that does not answer one value a row is found out", async () => {
	const short = functionModel("short", [{ name: "x", type: "float32", width: 1 }], () => [1]);
	await assert.rejects(short.score({ x: Float32Array.of(1, 2) }, 2), {
		code: "BAD_MODEL_OUTPUT",
		message: /"short" must answer 2 rows with 2 scores, got 1/,
	});
});

test("a function's error reaches the caller, and the model still closes", async () => {
	const failing = functionModel("failing", [], () => {
		throw new RangeError("no");
	});
	await assert.rejects(failing.score({}, 1), RangeError);
	await failing.close();
	await assert.rejects(failing.score({}, 1), { code: "MODEL_CLOSED" });
});
