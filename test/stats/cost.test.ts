import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "batching-lab/base";
import { fitPerCall, medianBySize, plateauSize } from "batching-lab/stats";
import fc from "fast-check";

const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

test("a straight line is found again, with nothing left over", () => {
	const fit = fitPerCall(SIZES.map((size) => ({ size, us: 98 + 18 * size })));
	assert.ok(Math.abs(fit.fixedUs - 98) < 1e-6 && Math.abs(fit.marginalUs - 18) < 1e-9);
	assert.equal(fit.intervals, null);
	assert.ok(fit.residuals.every(({ share }) => Math.abs(share) < 1e-9));
});

test("two points give the line through them: one row 10.6 µs, 32 rows 66 µs", () => {
	const { fixedUs, marginalUs } = fitPerCall([
		{ size: 1, us: 10.6 },
		{ size: 32, us: 66 },
	]);
	assert.ok(Math.abs(marginalUs - 55.4 / 31) < 1e-9);
	assert.ok(Math.abs(fixedUs - (10.6 - 55.4 / 31)) < 1e-9);
});

test("rounds are fitted alone; the interval is their range with its true coverage", () => {
	const points = [90, 100, 95, 110, 98].flatMap((fixed, round) =>
		SIZES.map((size) => ({ size, us: fixed + 2 * size, round })),
	);
	const fit = fitPerCall(points);
	assert.ok(Math.abs(fit.fixedUs - 98) < 1e-6);
	assert.ok(fit.intervals !== null);
	assert.ok(Math.abs(fit.intervals.fixedUs.low - 90) < 1e-6 && Math.abs(fit.intervals.fixedUs.high - 110) < 1e-6);
	assert.equal(fit.intervals.fixedUs.coverage, 0.9375);
});

test("on noisy calls that do follow a line the range of five rounds holds both costs about as often as promised", () => {
	const random = seededRandom(31);
	const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
	const coverage = (noise: number) => {
		let [fixed, marginal, off] = [0, 0, 0];
		for (let experiment = 0; experiment < 1500; experiment++) {
			const points = [1, 2, 3, 4, 5].flatMap((round) =>
				SIZES.map((size) => ({ size, us: (100 + 18 * size) * (1 + noise * normal()), round })),
			);
			const { intervals, marginalUs } = fitPerCall(points);
			if (intervals === null) continue;
			if (intervals.fixedUs.low <= 100 && 100 <= intervals.fixedUs.high) fixed++;
			if (intervals.marginalUs.low <= 18 && 18 <= intervals.marginalUs.high) marginal++;
			off += (marginalUs / 18 - 1) / 1500;
		}
		return { fixed: fixed / 1500, marginal: marginal / 1500, off };
	};
	const quiet = coverage(0.03);
	assert.ok(Math.abs(quiet.fixed - 0.93) < 0.02 && Math.abs(quiet.marginal - 0.93) < 0.02, JSON.stringify(quiet));
	assert.ok(quiet.off < 0 && quiet.off > -0.003, String(quiet.off));
	const loud = coverage(0.1);
	assert.ok(Math.abs(loud.marginal - 0.87) < 0.03 && Math.abs(loud.off + 0.018) < 0.004, JSON.stringify(loud));
});

test("a curve that is no line shows in the residuals", () => {
	const fit = fitPerCall(SIZES.map((size) => ({ size, us: 100 + size ** 1.3 })));
	assert.ok(fit.residuals.some(({ share }) => Math.abs(share) > 0.1));
});

test("the fit minimises the relative squared error: no neighbour is better", () => {
	fc.assert(
		fc.property(
			fc.array(fc.double({ min: 1, max: 1e4, noNaN: true }), { minLength: 3, maxLength: 11 }),
			fc.constantFrom([1, 0], [-1, 0], [0, 1], [0, -1], [1, -1], [-1, 1]),
			(times, [da = 0, db = 0]) => {
				const points = times.map((us, i) => ({ size: SIZES[i] ?? 1, us }));
				const { fixedUs, marginalUs } = fitPerCall(points);
				const loss = (a: number, b: number) =>
					points.reduce((sum, { size, us }) => sum + ((us - a - b * size) / us) ** 2, 0);
				const best = loss(fixedUs, marginalUs);
				assert.ok(best <= loss(fixedUs + da * 0.01, marginalUs + db * 0.01) + 1e-9 * (1 + best));
			},
		),
	);
});

test("the plateau starts at the first size whose doubling saves under 10 % a row", () => {
	const perRow = (costs: readonly number[]) => costs.map((cost, i) => ({ size: 2 ** i, us: cost * 2 ** i }));
	assert.equal(plateauSize(perRow([100, 60, 40, 37, 20])), 4);
	assert.equal(plateauSize(perRow([100, 60, 40, 30, 20])), null);
	assert.equal(plateauSize(perRow([100, 91])), 1);
	assert.equal(plateauSize(perRow([100, 89])), null);
});

test("the lesson's own end of the curve has no plateau: 3.11 to 2.57 µs a row saves 17 %", () => {
	const points = [
		{ size: 512, us: 3.11 * 512 },
		{ size: 1024, us: 2.57 * 1024 },
	];
	assert.equal(plateauSize(points), null);
	assert.equal(plateauSize(points, 0.18), 512);
});

test("several rounds of a size count as their median", () => {
	assert.deepEqual(
		medianBySize([
			{ size: 2, us: 9 },
			{ size: 1, us: 5, round: 0 },
			{ size: 1, us: 7, round: 1 },
			{ size: 1, us: 50, round: 2 },
		]),
		[
			{ size: 1, us: 7 },
			{ size: 2, us: 9 },
		],
	);
});

test("impossible input is named", () => {
	assert.throws(() => fitPerCall([{ size: 1, us: 5 }]), { code: "TOO_FEW_SIZES" });
	assert.throws(() => fitPerCall([]), { code: "TOO_FEW_SIZES" });
	assert.throws(() => plateauSize([{ size: 0, us: 5 }]), { code: "BAD_NUMBER", message: /size.*got 0/ });
	assert.throws(() => plateauSize([{ size: 1, us: 0 }]), { code: "BAD_NUMBER", message: /got 0/ });
});
