import assert from "node:assert/strict";
import { test } from "node:test";
import { contrast, DARK, durationText, lookOf, movePath, PALETTE, PAPER, spreadLabels } from "batching-lab/charts";
import fc from "fast-check";

test("labels keep their distance, their order and their room", () => {
	const place = fc.double({ min: 0, max: 1, noNaN: true });
	fc.assert(
		fc.property(
			fc.array(place, { minLength: 1, maxLength: 10 }),
			fc.double({ min: 0.01, max: 0.1, noNaN: true }),
			(places, gap) => {
				const moved = spreadLabels(places, gap);
				const order = [...places.keys()].sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
				for (let i = 1; i < order.length; i++) {
					assert.ok((moved[order[i] ?? 0] ?? 0) - (moved[order[i - 1] ?? 0] ?? 0) >= gap - 1e-9);
				}
				if (gap * (places.length - 1) <= 1) {
					for (const at of moved) assert.ok(at >= -1e-9 && at <= 1 + 1e-9);
				}
			},
		),
	);
});

test("labels with room enough stay where they belong", () => {
	assert.deepEqual(spreadLabels([0.9, 0.1, 0.5], 0.05), [0.9, 0.1, 0.5]);
});

test("two labels of one place move apart by half a gap each", () => {
	const [low = 0, high = 0] = spreadLabels([0.5, 0.5], 0.1);
	assert.ok(Math.abs(low - 0.45) < 1e-9 && Math.abs(high - 0.55) < 1e-9);
});

test("a marker's path moves as a whole", () => {
	assert.equal(movePath("M4,4H-4V-4H4Z", 10, 20), "M14,24H6V16H14Z");
	assert.equal(movePath("M4,0A4,4 0 1,1 0,-4Z", 1, 2), "M5,2A4,4,0,1,1,1,-2Z");
	assert.equal(movePath("M0,62v304", 105, 0), "M105,62v304");
	assert.equal(movePath("M0,0C1,1 2,2 3,3", 1, 1), undefined);
});

test("durations are said in the unit in which they are easiest read", () => {
	assert.deepEqual([0, 0.0123, 0.9996, 3.5, 999.6, 1200, -0.006].map(durationText), [
		"0",
		"12.3 µs",
		"1 ms",
		"3.5 ms",
		"1 s",
		"1.2 s",
		"-6 µs",
	]);
});

test("every colour has its contrast to its paper, in the light and in the dark", () => {
	for (const [name, colour] of Object.entries(PALETTE)) {
		assert.ok(contrast(colour, PAPER) >= 3, `${name} on light`);
		assert.ok(contrast(DARK[colour] ?? colour, DARK[PAPER] ?? PAPER) >= 3, `${name} on dark`);
	}
});

/** Machado, Oliveira and Fernandes 2009, severity 1: what a colour looks like to protan and deutan readers. */
const SIGHT = {
	normal: [
		[1, 0, 0],
		[0, 1, 0],
		[0, 0, 1],
	],
	protan: [
		[0.152286, 1.052583, -0.204868],
		[0.114503, 0.786281, 0.099216],
		[-0.003882, -0.048116, 1.051998],
	],
	deutan: [
		[0.367322, 0.860646, -0.227968],
		[0.280085, 0.672501, 0.047413],
		[-0.01182, 0.04294, 0.968881],
	],
} as const;

function lab(hex: string, sight: readonly (readonly number[])[]): number[] {
	const linear = [1, 3, 5].map((at) => {
		const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	const seen = sight.map((row) =>
		Math.min(
			1,
			Math.max(
				0,
				row.reduce((sum, weight, i) => sum + weight * (linear[i] ?? 0), 0),
			),
		),
	);
	const [r = 0, g = 0, b = 0] = seen;
	const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
	const [x, y, z] = [
		f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505),
		f(0.2126 * r + 0.7152 * g + 0.0722 * b),
		f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089),
	];
	return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

test("any two colours stay apart for normal, protan and deutan readers, in the light and in the dark", () => {
	for (const colours of [Object.values(PALETTE), Object.values(PALETTE).map((colour) => DARK[colour] ?? colour)]) {
		for (const [name, sight] of Object.entries(SIGHT)) {
			for (const [i, one] of colours.entries()) {
				for (const other of colours.slice(i + 1)) {
					const [a, b] = [lab(one, sight), lab(other, sight)];
					const distance = Math.hypot(...a.map((value, axis) => value - (b[axis] ?? 0)));
					assert.ok(distance >= 12, `${one} and ${other} for ${name} sight: ${distance.toFixed(1)}`);
				}
			}
		}
	}
});

test("settings that share a colour never share dash and marker", () => {
	const names = [
		"none",
		"none again",
		"nomodel",
		"nomodel-deferred",
		"b1w0",
		"b8w0",
		"b32w0",
		"b128w0",
		"b32w1",
		"b32w2",
	];
	const looks = names.map((name) => JSON.stringify(lookOf(name)));
	assert.equal(new Set(looks).size, looks.length);
});
