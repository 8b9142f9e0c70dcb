import assert from "node:assert/strict";
import { test } from "node:test";
import { profileNamed } from "batching-lab/lab";
import { aboutProfile, gradeExercise, machine, rulesInWords, rulesSeen } from "batching-lab/story";
import { ENVIRONMENT } from "../report/lab.js";
import { emptyRecord, heard } from "./record.js";

test("on the game's morning the wait saves trips and no wait saves time, and the words say so", async () => {
	const seen = await rulesSeen();
	assert.deepEqual(
		seen.map(({ name, trips, meanMinutes, longestMinutes }) => [name, trips, meanMinutes, longestMinutes]),
		[
			["one by one", 12, 11.75, 18.5],
			["full, or after a wait", 7, 6.25, 7.5],
			["as soon as it is back", 9, 5.5, 7],
		],
	);
	assert.match(
		rulesInWords(seen),
		/fuel is dear, choose \*full, or after a wait\*.*impatient, choose \*as soon as it is back\*.*Worst at both was \*one by one\*/,
	);
});

test("where one rule is best at both, or two are equal, the words say that", async () => {
	const [one, full, back] = await rulesSeen();
	assert.ok(one !== undefined && full !== undefined && back !== undefined);
	assert.match(rulesInWords([one, back]), /the choice is the same: \*as soon as it is back\*\. Worst at both was/);
	assert.match(
		rulesInWords([full, { ...back, trips: full.trips }]),
		/choose \*full.* and \*as soon.*: the fewest trips/,
	);
});

test("the exercises of the start are graded by playing the game", async (t) => {
	const { record } = emptyRecord(t);
	assert.equal((await gradeExercise({ record }, "00", 1, 7)).right, true);
	assert.equal((await gradeExercise({ record }, "00", 1, 9)).right, false);
	assert.equal((await gradeExercise({ record }, "00", 2, 12)).right, true);
});

test("each profile says what its rounds can decide", () => {
	const of = (name: "smoke" | "quick" | "standard") => heard(() => aboutProfile({ profile: profileNamed(name) }));
	assert.match(of("smoke"), /measures the service once\. That shows that everything works/);
	assert.match(of("quick"), /in 3 rounds.*too little to prove it/);
	assert.match(of("standard"), /in 5 rounds.*enough for a verdict/);
});

test("a busy machine is called busy, a quiet one quiet, and a system that does not tell is not judged", (t) => {
	const said = (loadAverage: readonly number[], topology = "shared") => {
		const { record, startId } = emptyRecord(t);
		record.addEnvironment(startId, { ...ENVIRONMENT, loadAverage, topology });
		return heard(() => machine({ record }));
	};
	assert.match(
		said([2.05]),
		/run on \| the same core \(on purpose; notebook 03 says why\) \|\n\n.* 2\.05 programs .* there are 2\. That is not quiet/,
	);
	assert.match(said([0.2]), /That is quiet: below one half/);
	assert.doesNotMatch(said([], "separate"), /programs/);
	assert.match(said([], "separate"), /run on \| a core each/);
});
