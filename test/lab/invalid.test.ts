import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { summariseSaturation, summariseSweep } from "batching-lab/lab";
import { createRecord, type NewRun, type RunResult } from "batching-lab/record";
import { COLUMNS, newRun, result, START } from "../record/fixture.js";
import { scratch } from "./scratch.js";
import { tinyProfile } from "./tiny.js";

const reasons = ["3 of 400 requests found no answer: read ECONNRESET (3×)"];

test("a closed loop in which requests found no answer is named where its figures are", (t) => {
	const record = createRecord(join(scratch(t), "lab.sqlite"));
	t.after(() => record.close());
	const startId = record.addStart(START);
	const closed = { kind: "closed", rateMultiple: null, ratePerSecond: null, saturationPerSecond: null } as const;
	const add = (run: Partial<NewRun>, verdict: Partial<RunResult>) =>
		record.finishRun(record.beginRun(newRun(startId, { ...closed, ...run })).id, result(verdict), COLUMNS);
	add({ setting: "none", round: 1 }, {});
	add({ setting: "none", round: 2 }, { verdict: "INVALID", reasons });
	add({ setting: "b32w0", round: 1 }, {});
	add({ setting: "none", role: "pace", round: 1 }, { verdict: "INVALID", reasons });

	const { none, b32w0 } = summariseSaturation(record, "gbt")?.settings ?? {};
	assert.deepEqual(none?.invalidRounds, [{ round: 2, reasons }]);
	assert.deepEqual(b32w0?.invalidRounds, []);
	const { invalid, invalidPace } = summariseSweep(record, tinyProfile());
	assert.deepEqual([invalid, invalidPace], [0, 1]);
});
