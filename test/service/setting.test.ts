import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSetting } from "batching-lab/service";

test("a setting's name says how rows become answers", () => {
	assert.deepEqual(parseSetting("none"), { name: "none", kind: "none" });
	assert.deepEqual(parseSetting("nomodel"), { name: "nomodel", kind: "nomodel" });
	assert.deepEqual(parseSetting("nomodel-deferred"), { name: "nomodel-deferred", kind: "nomodel-deferred" });
	assert.deepEqual(parseSetting("b1w0"), { name: "b1w0", kind: "batched", maxBatchSize: 1, maxWaitMs: 0 });
	assert.deepEqual(parseSetting("b128w0.25"), {
		name: "b128w0.25",
		kind: "batched",
		maxBatchSize: 128,
		maxWaitMs: 0.25,
	});
});

test("any other name is refused, with the names there are", () => {
	for (const name of [
		"",
		"b32",
		"w2",
		"b0w1",
		"b-1w0",
		"b32w",
		"b32w-1",
		"b32w1e3",
		"B32W2",
		"b32w2 ",
		"b032w2",
		"b65536w0",
		"None",
	]) {
		assert.throws(() => parseSetting(name), { code: "UNKNOWN_SETTING", message: /expected none, nomodel/ }, name);
	}
	assert.throws(() => parseSetting("b1w2"), { code: "WAIT_WITHOUT_BATCH" });
});
