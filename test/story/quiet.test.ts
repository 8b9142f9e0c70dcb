import assert from "node:assert/strict";
import { test } from "node:test";
import { priceInWords, tailInWords, verdict } from "batching-lab/story";
import { read } from "./words.js";

test("a verdict names the direction only where all rounds agree, and says what so many rounds are worth", () => {
	const words = (...diffs: number[]) => read(verdict("key", diffs));
	assert.equal(words(1, 2, 3), "slower, seen in 3 of 3");
	assert.equal(words(-1, -2, -3), "faster, seen in 3 of 3");
	assert.equal(words(-1, 2, 3), "undecided (2 of 3)");
	assert.equal(words(1), "undecided (one round only)");
	assert.equal(words(1, 2, 3, 4, 5), "slower, told apart in 5 of 5");
	assert.equal(words(1, 2, 3, 4, -5), "not told apart (4 of 5)");
});

test("who pays for a wait is said in every case", () => {
	const words = (setting: string, ...diffs: number[]) => read(priceInWords(setting, diffs));
	assert.match(words("b32w2", 2.4, 2.7, 3.2), /pays for the wait, in every round/);
	assert.match(words("b32w2", -1, -2, -3), /faster in every round, in spite of the wait/);
	assert.match(words("b32w2", 1, -2, 3), /the rounds disagree, so nothing is said/);
	assert.match(words("b32w0", 0.2, 0.3, 3.7), /waits for nobody on purpose, and still .* slower in every round/);
	assert.match(words("b32w0", -0.2, -0.3, -3.7), /even faster in every round/);
	assert.match(words("b32w0", 0.2), /only one round, so nothing is said/);
});

test("the slowest gained, lost, or it is open, each setting by itself", () => {
	const words = (found: Readonly<Record<string, readonly number[]>>) =>
		read(tailInWords(Object.entries(found).map(([setting, differencesMs]) => ({ setting, differencesMs }))));
	const mixed = words({ b32w0: [-2, 25, 1], b32w2: [6, 8, 30] });
	assert.match(mixed, /slower in every round with b32w2/);
	assert.match(mixed, /Undecided: b32w0\./);
	assert.doesNotMatch(mixed, /gained/);
	assert.match(
		words({ b32w0: [-2, -25, -1] }),
		/^The slowest requests were faster in every round with b32w0: they gained from sharing\.$/,
	);
	assert.equal(words({ b32w0: [-2] }), "Undecided: b32w0.");
});
