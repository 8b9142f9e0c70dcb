import assert from "node:assert/strict";
import { test } from "node:test";
import { choosePlacement, type PinFacts, parseCpuList } from "batching-lab/lab";

const facts = (changes: Partial<PinFacts>): PinFacts => ({
	allowed: [0, 1],
	hasTaskset: true,
	sameCore: () => false,
	...changes,
});

test("the kernel's CPU lists are read with ranges and gaps", () => {
	assert.deepEqual(parseCpuList("0-2,5\n"), [0, 1, 2, 5]);
	assert.deepEqual(parseCpuList("3"), [3]);
	assert.deepEqual(parseCpuList(""), []);
});

test("on one core nothing is pinned, and that core is measured", () => {
	const placement = choosePlacement("shared", facts({ allowed: [2] }));
	assert.deepEqual(placement, {
		topology: "shared",
		servicePin: null,
		clientPin: null,
		measured: [2],
		free: [],
		cores: 1,
	});
	assert.throws(() => choosePlacement("separate", facts({ allowed: [2] })), {
		code: "TOPOLOGY",
		message: /needs two cores/,
	});
});

test("shared puts client and service on the last allowed core, separate on a core each", () => {
	const shared = choosePlacement("shared", facts({ allowed: [0, 1, 3] }));
	assert.deepEqual([shared.servicePin, shared.clientPin, shared.measured, shared.free], ["3", "3", [3], [0, 1]]);
	const separate = choosePlacement("separate", facts({}));
	assert.deepEqual([separate.servicePin, separate.clientPin, separate.measured, separate.free], ["1", "0", [1, 0], []]);
});

test("a core of its own is not the other thread of the same core", () => {
	const sameCore = (one: number, other: number) => one >> 1 === other >> 1;
	const placement = choosePlacement("separate", facts({ allowed: [0, 1, 2, 3], sameCore }));
	assert.deepEqual([placement.servicePin, placement.clientPin], ["3", "1"]);
});

test("where nothing can be pinned the topology says so", () => {
	assert.equal(choosePlacement("shared", facts({ hasTaskset: false })).topology, "unpinned");
	const mac = choosePlacement("shared", facts({ allowed: null, hasTaskset: false }));
	assert.equal(mac.measured, null);
	assert.equal(mac.servicePin, null);
});
