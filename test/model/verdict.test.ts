import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeBatching } from "batching-lab/model";

test("a model with a fixed cost: batching can help, by the cheapest row against the first", () => {
	const verdict = judgeBatching([
		{ size: 1, us: 100 },
		{ size: 8, us: 200 },
		{ size: 64, us: 1280 },
		{ size: 1024, us: 25_600 },
	]);
	assert.deepEqual(
		{ ...verdict, reason: "" },
		{ batchingCanHelp: true, reason: "", cheapestSize: 64, timesCheaper: 5 },
	);
	assert.equal(
		verdict.reason,
		"a row alone takes 100.0 µs, in a call of 64 rows it takes 20.0 µs: up to 5.0 times less model time a row",
	);
});

test("a model that costs the same a row, or less than a tenth more alone: batching cannot help", () => {
	for (const us of [800, 721]) {
		const { batchingCanHelp, reason } = judgeBatching([
			{ size: 1, us: 100 },
			{ size: 8, us },
		]);
		assert.equal(batchingCanHelp, false);
		assert.match(reason, /not even 10 % less/);
	}
	assert.equal(
		judgeBatching([
			{ size: 1, us: 100 },
			{ size: 8, us: 720 },
		]).batchingCanHelp,
		true,
		"a tenth less is a tenth less",
	);
});

test("a model that gets dearer by the row is told as it is", () => {
	const { batchingCanHelp, timesCheaper } = judgeBatching([
		{ size: 1, us: 100 },
		{ size: 2, us: 400 },
	]);
	assert.deepEqual({ batchingCanHelp, timesCheaper }, { batchingCanHelp: false, timesCheaper: 0.5 });
});

test("one row and a larger size are both needed", () => {
	for (const costs of [[], [{ size: 1, us: 1 }], [{ size: 2, us: 1 }]])
		assert.throws(() => judgeBatching(costs), { code: "BAD_OPTION" });
});
