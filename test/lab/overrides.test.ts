import assert from "node:assert/strict";
import { test } from "node:test";
import { applySet, profileNamed, ratesOf, withValues } from "batching-lab/lab";

const quick = profileNamed("quick");

test("name=value sets numbers, words, truth and lists, in the kind that the profile has", () => {
	const set = applySet(quick, [
		"rounds=5",
		"rateMultiples=0.5, 2",
		"settings=none,b8w0",
		"againstItself=false",
		"pace=once",
	]);
	assert.equal(set.rounds, 5);
	assert.deepEqual(set.rateMultiples, [0.5, 2]);
	assert.deepEqual(set.settings, ["none", "b8w0"]);
	assert.equal(set.againstItself, false);
	assert.equal(set.pace, "once");
	assert.equal(quick.rounds, 3, "the table itself is never changed");
});

test("a rate set for the profile holds for every model, one set for a model for that model only", () => {
	assert.deepEqual(ratesOf(quick, "ft"), [0.5, 1.6]);
	assert.deepEqual(ratesOf(applySet(quick, ["rateMultiples=2"]), "ft"), [2]);
	const own = applySet(quick, ["ft.rateMultiples=0.8,1"]);
	assert.deepEqual(ratesOf(own, "ft"), [0.8, 1]);
	assert.deepEqual(ratesOf(own, "gbt"), [0.5, 1, 1.6]);
	assert.deepEqual(
		ratesOf(withValues(quick, { rateMultiples: [1], perModel: { ft: { rateMultiples: [2] } } }), "ft"),
		[2],
	);
});

test("what cannot be is refused with the value and what was expected", () => {
	const refused = (text: string) => () => applySet(quick, [text]);
	assert.throws(refused("runds=5"), {
		code: "UNKNOWN_PROFILE_VALUE",
		message: /no value "runds"; it has models, settings/,
	});
	assert.throws(refused("rounds=many"), { code: "BAD_SETTING_VALUE", message: /rounds takes a number, got "many"/ });
	assert.throws(refused("rounds"), { code: "BAD_SETTING_VALUE", message: /name=value, got "rounds"/ });
	assert.throws(refused("controls=yes"), { code: "BAD_SETTING_VALUE", message: /true or false/ });
	assert.throws(refused("pace=sometimes"), { code: "BAD_PROFILE", message: /pace of profile quick/ });
	assert.throws(refused("quietIdleShare=95"), { code: "BAD_PROFILE", message: /quietIdleShare/ });
	assert.throws(refused("rounds=2.5"), { code: "BAD_PROFILE", message: /rounds/ });
	assert.throws(refused("rounds=1e9"), { code: "BAD_PROFILE", message: /rounds of profile quick: .*<=1000/ });
	assert.throws(refused("fft.rateMultiples=1"), {
		code: "UNKNOWN_PROFILE_VALUE",
		message: "fft.rateMultiples is about no model of this profile; it has gbt, ft",
	});
});

test("no duration is longer than what a timer can count, nor too short to answer anything", () => {
	const quick = profileNamed("quick");
	for (const name of Object.keys(quick).filter((key) => key.endsWith("Seconds"))) {
		// 3,000,000 s are more than 2 ** 31 ms: such a timer rings at once
		assert.throws(() => applySet(quick, [`${name}=3000000`]), { code: "BAD_PROFILE", message: new RegExp(`^${name}`) });
	}
	for (const name of ["closedSeconds", "arrivalSeconds"]) {
		assert.throws(() => applySet(quick, [`${name}=1e-9`]), { code: "BAD_PROFILE", message: new RegExp(`^${name}`) });
	}
});
