import assert from "node:assert/strict";
import { test } from "node:test";
import { normalCdf, studentCdf, studentQuantile } from "batching-lab/stats";
import fc from "fast-check";

test("the normal distribution function has its table values", () => {
	for (const [z, expected] of [
		[0, 0.5],
		[1, 0.841344746068543],
		[1.959963984540054, 0.975],
		[-1.6448536269514722, 0.05],
		[3, 0.99865010196837],
		[-6, 9.86587645e-10],
	] as const) {
		assert.ok(Math.abs(normalCdf(z) - expected) < 1e-13, `Φ(${z}) = ${normalCdf(z)}`);
	}
	assert.deepEqual([normalCdf(9), normalCdf(-9)], [1, 0]);
});

test("Student's t has its table values", () => {
	for (const [freedom, expected] of [
		[1, 12.706],
		[2, 4.303],
		[4, 2.776],
		[9, 2.262],
		[30, 2.042],
		[1000, 1.962],
	] as const) {
		assert.equal(studentQuantile(0.975, freedom).toFixed(3), expected.toFixed(3));
	}
	assert.throws(() => studentQuantile(1, 3), { code: "BAD_NUMBER", message: /got 1/ });
	assert.throws(() => studentCdf(1, 0.5), { code: "BAD_NUMBER", message: /freedom.*got 0.5/ });
});

/** The integral of the density from 0 to t by Simpson's rule; its constant is fixed by the integral over everything. */
function integrated(t: number, freedom: number): number {
	const density = (x: number) => (1 + (x * x) / freedom) ** (-(freedom + 1) / 2);
	// x = tan a takes the whole line to a finite stretch.
	const area = (toAngle: number) => {
		const parts = 4000;
		let sum = 0;
		for (let i = 0; i <= parts; i++) {
			const angle = (toAngle * i) / parts;
			const weight = i === 0 || i === parts ? 1 : i % 2 === 1 ? 4 : 2;
			if (angle < Math.PI / 2) sum += (weight * density(Math.tan(angle))) / Math.cos(angle) ** 2;
		}
		return (sum * toAngle) / (3 * parts);
	};
	return 0.5 + area(Math.atan(t)) / (2 * area(Math.PI / 2 - 1e-9));
}

test("the finite sum is the integral of the density", () => {
	fc.assert(
		fc.property(fc.integer({ min: 2, max: 40 }), fc.double({ min: 0, max: 8, noNaN: true }), (freedom, t) => {
			const expected = integrated(t, freedom);
			assert.ok(Math.abs(studentCdf(t, freedom) - expected) < 1e-6, `${studentCdf(t, freedom)}, ${expected}`);
			assert.ok(Math.abs(studentCdf(-t, freedom) + studentCdf(t, freedom) - 1) < 1e-12);
		}),
		{ numRuns: 60 },
	);
});
