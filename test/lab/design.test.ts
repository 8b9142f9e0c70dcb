import assert from "node:assert/strict";
import { test } from "node:test";
import {
	applySet,
	LESSON_RATES,
	LESSON_SETTINGS,
	PROFILES,
	type Profile,
	planSaturation,
	planSweep,
	profileNamed,
	withValues,
} from "batching-lab/lab";
import fc from "fast-check";

const lesson = withValues(profileNamed("full"), { againstItself: false, controls: false });

test("the lesson's design is 17 settings at 7 rates in 5 rounds: 119 distinct runs a round, 595 in all", () => {
	assert.equal(LESSON_SETTINGS.length, 17);
	assert.equal(LESSON_RATES.length, 7);
	const rounds = planSweep(lesson);
	assert.equal(rounds.length, 5);
	for (const round of rounds) {
		assert.equal(new Set(round.map((run) => `${run.setting} ${run.rateMultiple}`)).size, 119);
		assert.deepEqual(
			round.map((run) => run.position),
			Array.from({ length: 119 }, (_, i) => i + 1),
		);
	}
});

test("the full profile adds none a second time and both controls at every rate", () => {
	for (const round of planSweep(profileNamed("full"))) {
		assert.equal(round.length, (17 + 1 + 2) * 7);
		assert.equal(round.filter((run) => run.role === "aa" && run.setting === "none").length, 7);
		assert.equal(round.filter((run) => run.role === "control").length, 14);
	}
});

test("in a round and at a rate all settings of a model meet the same arrivals; no two rounds or rates share them", () => {
	const seeds = new Map<string, Set<number>>();
	for (const run of planSweep(profileNamed("standard")).flat()) {
		const key = `${run.model} ${run.round} ${run.rateMultiple}`;
		seeds.set(key, (seeds.get(key) ?? new Set()).add(run.seed));
	}
	for (const [key, own] of seeds) assert.equal(own.size, 1, key);
	assert.equal(new Set([...seeds.values()].flatMap((own) => [...own])).size, seeds.size);
});

test("the order is the seed's: the same for the same seed, another for another, and no two rounds alike", () => {
	const order = (profile: Profile) =>
		planSweep(profile).map((round) =>
			round.map((run) => `${run.model} ${run.setting} ${run.role} ${run.rateMultiple}`),
		);
	const first = order(lesson);
	assert.deepEqual(order(lesson), first);
	assert.notDeepEqual(order(withValues(lesson, { seed: 1 })), first);
	assert.equal(new Set(first.map((round) => round.join())).size, 5);
	for (const round of first) assert.deepEqual([...round].sort(), [...(first[0] ?? [])].sort());
});

test("whatever subset is asked for, every round holds each model × setting × rate exactly once", () => {
	fc.assert(
		fc.property(
			fc.subarray(["gbt", "ft", "mlp"], { minLength: 1 }),
			fc.subarray(LESSON_SETTINGS.filter((setting) => setting !== "none")),
			fc.subarray([...LESSON_RATES], { minLength: 1 }),
			fc.integer({ min: 1, max: 4 }),
			fc.integer(),
			(models, others, rateMultiples, rounds, seed) => {
				const settings = ["none", ...others];
				const values = { models, settings, rateMultiples, rounds, seed, againstItself: false, controls: false };
				const plan = planSweep(withValues(profileNamed("quick"), values));
				assert.equal(plan.length, rounds);
				for (const round of plan) {
					const runs = new Set(round.map((run) => `${run.model} ${run.setting} ${run.rateMultiple}`));
					assert.equal(runs.size, models.length * settings.length * rateMultiples.length);
					assert.equal(round.length, runs.size);
				}
			},
		),
		{ numRuns: 60 },
	);
});

test("quick measures gbt in full and ft at half of S and above it", () => {
	const [round = []] = planSweep(profileNamed("quick"));
	const rates = (model: string) => [
		...new Set(round.filter((run) => run.model === model).map((run) => run.rateMultiple)),
	];
	assert.deepEqual(rates("gbt").sort(), [0.5, 1, 1.6]);
	assert.deepEqual(rates("ft").sort(), [0.5, 1.6]);
	assert.equal(round.length, 4 * 3 + 4 * 2);
});

test("a design that means nothing is refused by name", () => {
	const refused = (values: Partial<Profile>) => () => planSweep(withValues(profileNamed("quick"), values));
	assert.throws(refused({ settings: ["none", "b1w2"] }), {
		code: "WAIT_WITHOUT_BATCH",
		message: /"b1w2" has no meaning/,
	});
	assert.throws(refused({ settings: ["b32w0"] }), { code: "BAD_DESIGN", message: /lack none/ });
	assert.throws(refused({ settings: ["none", "none"] }), {
		code: "BAD_DESIGN",
		message: /setting none is there twice/,
	});
	assert.throws(refused({ settings: ["none", "b32"] }), { code: "UNKNOWN_SETTING", message: /"b32"/ });
	assert.throws(refused({ rateMultiples: [1, 1] }), { code: "BAD_DESIGN", message: /rate multiple 1 is there twice/ });
	assert.throws(refused({ rateMultiples: [0] }), { code: "BAD_PROFILE", message: /rateMultiples/ });
	assert.throws(refused({ rounds: 0 }), { code: "BAD_PROFILE", message: /rounds/ });
	assert.throws(() => profileNamed("fast"), { code: "UNKNOWN_PROFILE", message: /smoke, quick, standard, full/ });
	assert.throws(() => profileNamed("toString"), { code: "UNKNOWN_PROFILE" });
	for (const name of Object.keys(PROFILES)) assert.doesNotThrow(() => planSweep(profileNamed(name)));
});

test("quick saturates the controls without a model beside gbt only; a list that is set holds for every model", () => {
	const told = (profile: Profile) =>
		planSaturation(profile, profile.models).map(({ model, setting, role }) => `${model} ${setting} ${role}`);
	const quick = profileNamed("quick");
	assert.deepEqual([...new Set(told(quick))].sort(), [
		"ft b32w0 setting",
		"ft none setting",
		"gbt b32w0 setting",
		"gbt nomodel control",
		"gbt nomodel-deferred control",
		"gbt none setting",
	]);
	assert.equal(told(quick).length, 6 * quick.saturationRounds);
	const set = withValues(quick, { saturationSettings: ["none"] });
	assert.deepEqual([...new Set(told(set))].sort(), ["ft none setting", "gbt none setting"]);
	const own = told(applySet(quick, ["ft.saturationSettings=none,b1w0"])).filter((run) => run.startsWith("ft"));
	assert.deepEqual([...new Set(own)].sort(), ["ft b1w0 setting", "ft none setting"]);
});
