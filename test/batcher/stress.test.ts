import assert from "node:assert/strict";
import { test } from "node:test";
import { complaints, stress } from "./stress.js";

test("200,000 rows with aborts, deadlines, throws and poison: each settled once with its own score, heap flat", async () => {
	const result = await stress(200_000, 20_261_004);
	assert.deepEqual(complaints(result), [], JSON.stringify(result));
});
