import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openRecord } from "batching-lab/record";
import { scratch } from "./fixture.js";

test("when the disk is full, the write says so and the runs before it are safe", {
	skip: process.platform === "win32",
}, (t) => {
	const path = join(scratch(t), "lab.sqlite");
	const writer = fileURLToPath(new URL("diskfull.child.js", import.meta.url));
	// ulimit -f stands for the full disk: no file may grow past 600 blocks of 512 or 1,024 bytes
	const shell = 'trap "" XFSZ; ulimit -f 600; exec "$0" "$@"';
	const child = spawnSync("sh", ["-c", shell, process.execPath, writer, path], { encoding: "utf8" });
	assert.equal(child.status, 0, child.stderr);
	const said: unknown = JSON.parse(child.stdout);
	const reader = openRecord(path);
	t.after(() => reader.close());
	const runs = reader.finishedRuns();
	assert.ok(runs.length > 0);
	assert.deepEqual(said, { code: "DISK_FULL", exitCode: 1, finished: runs.length });
	for (const run of runs) assert.equal(reader.requests(run.id).sentNs.length, 5000);
	assert.equal(reader.query("PRAGMA integrity_check")[0]?.integrity_check, "ok");
});
