import assert from "node:assert/strict";
import { test } from "node:test";
import { allowedTogether, hadToWait, shareTogether } from "batching-lab/client";
import fc from "fast-check";
import { columnsOf } from "./columns.js";

/** A queue with `connections` places, first come, first sent, step by step. */
function simulate(gapsMs: readonly number[], serviceMs: readonly number[], connections: number) {
	const freeAt = new Array<number>(connections).fill(0);
	let at = 0;
	return gapsMs.map((gap, i) => {
		at += gap;
		const place = freeAt.indexOf(Math.min(...freeAt));
		const sent = Math.max(at, freeAt[place] ?? 0);
		freeAt[place] = sent + (serviceMs[i] ?? 0);
		return { at, sent, received: sent + (serviceMs[i] ?? 0), waited: sent > at };
	});
}

test("who had to wait is found from the stamps alone", () => {
	const times = fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 200 })), {
		minLength: 1,
		maxLength: 80,
	});
	fc.assert(
		fc.property(times, fc.integer({ min: 1, max: 6 }), (drawn, connections) => {
			const requests = simulate(
				drawn.map(([gap]) => gap),
				drawn.map(([, service]) => service),
				connections,
			);
			const found = hadToWait(columnsOf(requests), connections);
			assert.deepEqual(
				[...found],
				requests.map(({ waited }) => (waited ? 1 : 0)),
			);
		}),
	);
});

test("a request that never ended holds its connection, one that failed does not", () => {
	const stuck = columnsOf([{ at: 1, sent: 1, received: 2 }, { at: 3 }, { at: 5 }, { at: 6 }]);
	assert.deepEqual([...hadToWait(stuck, 2)], [0, 0, 0, 1]);
	const failed = columnsOf([
		{ at: 1, sent: 1, outcome: 1 },
		{ at: 3, sent: 3, received: 4 },
	]);
	assert.deepEqual([...hadToWait(failed, 1)], [0, 0]);
});

test("the share of moments within 50 µs of the one before", () => {
	const us = (...at: number[]) => Float64Array.from(at, (value) => value * 1000);
	assert.equal(shareTogether(us()), 0);
	assert.equal(shareTogether(us(7)), 0);
	assert.equal(shareTogether(us(0, 49, 99, 150)), 1 / 3);
	assert.equal(shareTogether(us(150, 0, Number.NaN, 99, 49)), 1 / 3, "order and gaps of the list do not matter");
	assert.equal(shareTogether(us(5, 5, 5)), 1);
	assert.equal(
		shareTogether(us(0, 40, 80, 200), Uint8Array.of(0, 1, 0, 0)),
		1 / 2,
		"one left out is still the one before",
	);
	assert.equal(shareTogether(us(0, 40), Uint8Array.of(1, 1)), 0);
});

test("twice the drawn share passes, with a floor and room for chance", () => {
	const near = (value: number, expected: number) => assert.ok(Math.abs(value - expected) < 1e-9, `${value}`);
	near(allowedTogether(0.05, 10_000), 0.1 + 3 * Math.sqrt(0.09 / 10_000));
	near(allowedTogether(0, 2500), 0.02 + 3 * Math.sqrt(0.0196 / 2500));
	near(allowedTogether(0.8, 100), 1);
	assert.ok(allowedTogether(0.05, 100) > allowedTogether(0.05, 1000));
});
