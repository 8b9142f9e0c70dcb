import assert from "node:assert/strict";
import { test } from "node:test";
import { countBySource, driftOf, durationText, profileNamed, timePlan, untilText, withValues } from "batching-lab/lab";

test("the plan counts the runs and what no lab could save", () => {
	const lesson = withValues(profileNamed("full"), { againstItself: false, controls: false });
	const plan = timePlan(lesson);
	assert.equal(plan.runs, 595 + 5);
	assert.equal(plan.plannedSeconds, 600 * (2 + 2 + 8));
	assert.ok(plan.expectedSeconds > plan.plannedSeconds && plan.expectedSeconds <= 1.25 * plan.plannedSeconds);
	assert.ok(plan.atMostSeconds > plan.expectedSeconds);
	assert.equal(timePlan(profileNamed("quick")).runs, 3 * 20 + 3 * 2);
});

test("durations and ends are said as a person would", () => {
	assert.deepEqual([0.4, 61, 3599.6, 7380].map(durationText), ["0 s", "1 min 1 s", "1 h 0 min", "2 h 3 min"]);
	const evening = new Date(2026, 9, 4, 23, 30);
	assert.equal(untilText(600, evening), "23:40");
	assert.match(untilText(3600, evening), /^Mon Oct 05 2026 00:30$/);
});

test("drift is the same in both directions", () => {
	assert.equal(driftOf(100, 150), 0.5);
	assert.equal(driftOf(150, 100), 0.5);
	assert.equal(driftOf(100, 100), 0);
});

test("journal lines are counted by who wrote them", () => {
	const lines = [
		`{"SYSLOG_IDENTIFIER":"CRON","_COMM":"cron"}`,
		`{"SYSLOG_IDENTIFIER":"CRON"}`,
		`{"_COMM":"sshd"}`,
		`{"SYSLOG_IDENTIFIER":[1,2]}`,
		"no json",
		"",
	];
	assert.deepEqual(countBySource(lines.join("\n")), { CRON: 2, sshd: 1, unknown: 2 });
	assert.deepEqual(countBySource(""), {});
});
