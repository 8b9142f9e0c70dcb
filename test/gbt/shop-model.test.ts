import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import {
	averagePrecision,
	describeGbt,
	exportGbtOnnx,
	type LabelledRows,
	LESSON_GBT,
	loadOnnxModel,
	scoreGbt,
	trainGbt,
} from "batching-lab/model";
import { importShop, makeFeatures, type Split } from "batching-lab/shop";
import { shopRows } from "./fixtures.js";

/** Every score of the file against the trainer's own, in calls of 1,024 rows. */
async function checkOnnx(bytes: Uint8Array, own: Float64Array, test: LabelledRows): Promise<Float32Array> {
	const model = await loadOnnxModel(bytes, { name: "gbt" });
	const width = test.features.length / test.rows;
	const scores = new Float32Array(test.rows);
	for (let row = 0; row < test.rows; row += 1024) {
		const size = Math.min(1024, test.rows - row);
		const features = test.features.slice(row * width, (row + size) * width);
		scores.set(await model.score({ features }, size), row);
	}
	await model.close();
	const far = scores.findIndex((score, row) => !(Math.abs(score - (own[row] ?? Number.NaN)) <= 1e-6));
	assert.equal(far, -1, `row ${far}: ${scores[far]} from the file, ${own[far]} from the trainer`);
	return scores;
}

const rowsOf = shopRows();
const test = rowsOf("test");
const model = await trainGbt({ fit: rowsOf("fit"), heldOut: rowsOf("heldOut") });
const bytes = exportGbtOnnx(model);

describe("gbt on the synthetic shop", () => {
	it("is of the lesson's kind and size", () => {
		const { trees, leaves, maxLeaves, features, testAveragePrecision } = describeGbt(model, test);
		assert.equal(features, 6);
		assert.ok(trees >= 40 && trees <= 70, `${trees} trees`);
		assert.ok(maxLeaves <= 31 && leaves > 20 * trees, `${leaves} leaves, at most ${maxLeaves} a tree`);
		assert.ok(testAveragePrecision >= 0.53, `AP ${testAveragePrecision}`);
		assert.notEqual(testAveragePrecision, LESSON_GBT.averagePrecision);
	});

	it("is not saturated, and scores from the file as from the trainer within 1e-6 on all 26,851 rows", async () => {
		const scores = await checkOnnx(bytes, scoreGbt(model, test.features), test);
		assert.ok(new Set(scores).size > 5000, `${new Set(scores).size} distinct scores`);
		const own = describeGbt(model, test).testAveragePrecision;
		assert.ok(Math.abs(averagePrecision(scores, test.labels) - own) < 1e-4);
	});

	it("is the same file to the byte when trained again", async () => {
		const again = shopRows();
		const bytesAgain = exportGbtOnnx(await trainGbt({ fit: again("fit"), heldOut: again("heldOut") }));
		const sha256 = (data: Uint8Array) => createHash("sha256").update(data).digest("hex");
		assert.equal(sha256(bytesAgain), sha256(bytes));
	});
});

const orders = join(
	process.env.SHOP_DATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data"),
	"retail-orders.csv.gz",
);
if (existsSync(orders)) {
	describe("gbt on the real shop", () => {
		it("reaches an AP of 0.54, and scores from the file as from the trainer", async () => {
			const made = makeFeatures((await importShop(orders)).invoices);
			const rowsOf = (wanted: Split): LabelledRows => {
				const rows = made.filter(({ split }) => split === wanted);
				return {
					rows: rows.length,
					features: Float32Array.from(rows.flatMap(({ features }) => features)),
					labels: Uint8Array.from(rows, ({ label }) => label),
				};
			};
			const test = rowsOf("test");
			const model = await trainGbt({ fit: rowsOf("fit"), heldOut: rowsOf("heldOut") });
			const { trees, testAveragePrecision } = describeGbt(model, test);
			assert.ok(testAveragePrecision >= 0.54, `AP ${testAveragePrecision}`);
			assert.ok(trees >= 40 && trees <= 70, `${trees} trees`);
			await checkOnnx(exportGbtOnnx(model), scoreGbt(model, test.features), test);
		});
	});
}
