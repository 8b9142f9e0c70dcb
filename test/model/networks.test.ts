import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { seededRandom } from "batching-lab/base";
import { buildFt, buildMlp, featureScale, loadOnnxModel } from "batching-lab/model";

const ROWS = 512;
const WIDTH = 6;
const random = seededRandom(5);
/** Days, days, orders, money (sometimes returned), money, orders: as far apart as the shop's. */
const sizes = [500, 700, 20, 4000, 300, 5];
const features = Float32Array.from({ length: ROWS * WIDTH }, (_, index) => {
	const size = sizes[index % WIDTH] ?? 1;
	return index % WIDTH === 3 ? size * (random() ** 4 - 0.01) : size * random();
});
const scale = featureScale(features, WIDTH);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const plain = { center: new Float32Array(WIDTH), scale: new Float32Array(WIDTH).fill(1) };
for (const [name, build, known] of [
	["ft", buildFt, "cb7df186963cc7b6a9cf2acff337ee1ffc3576fdf72d33fa06496c15f156b000"],
	["mlp", buildMlp, "8a5c7e9ed6d14c2d7a67169bd98ff64e8648ff215592bc90eb83b7f7564afebb"],
] as const) {
	test(`${name} is the same to the byte for a seed, and another for another`, () => {
		assert.equal(sha256(build({ seed: 1, scale: plain })), known, "on this machine as on every other");
		const bytes = build({ seed: 1, scale });
		assert.equal(sha256(build({ seed: 1, scale })), sha256(bytes));
		assert.notEqual(sha256(build({ seed: 2, scale })), sha256(bytes));
	});

	test(`${name} is not saturated: nearly every row has a score of its own, within 0 and 1`, async () => {
		const model = await loadOnnxModel(build({ seed: 1, scale }), { name });
		const scores = await model.score({ features }, ROWS);
		assert.ok(new Set(scores).size > 0.98 * ROWS, `${new Set(scores).size} distinct scores of ${ROWS}`);
		assert.ok(scores.every((score) => score > 1e-4 && score < 1 - 1e-4));
		await model.close();
	});

	test(`${name} answers each row from that row alone, within rounding`, async () => {
		const model = await loadOnnxModel(build({ seed: 1, scale }), { name });
		const all = await model.score({ features }, ROWS);
		for (let row = 0; row < ROWS; row += 37) {
			const [alone] = await model.score({ features: features.slice(row * WIDTH, (row + 1) * WIDTH) }, 1);
			assert.ok(Math.abs(Number(alone) - Number(all[row])) < 1e-6);
		}
		await model.close();
	});
}

test("the scale is the median and the spread after a signed log, and never 0", () => {
	const e = Math.E;
	// log(1 + x) of the first column is −1, 0, 1 …; the second never changes.
	const values = [-1, 0, 1].flatMap((log) => [Math.sign(log) * (e ** Math.abs(log) - 1), 7]);
	const { center, scale: spread } = featureScale(values, 2);
	assert.equal(center[0], 0);
	assert.ok(Math.abs(Number(center[1]) - Math.log(8)) < 1e-6);
	assert.deepEqual(
		[...spread].map((value) => value > 0),
		[true, true],
	);
	assert.equal(spread[1], 1);
});
