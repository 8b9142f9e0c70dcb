import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { takeLock } from "batching-lab/lab";
import { scratch } from "./scratch.js";

test("a second laboratory is refused with the owner's pid, also in the same process, until the first lets go", (t) => {
	const path = join(scratch(t), "lock");
	const first = takeLock("sweep full", path);
	assert.throws(() => takeLock("saturation", path), {
		code: "LAB_BUSY",
		exitCode: 1,
		message: new RegExp(`another laboratory is measuring on this machine: pid ${process.pid}, sweep full, since `),
	});
	first.release();
	takeLock("saturation", path).release();
});

test("the lock of a killed laboratory is free at once", async (t) => {
	const path = join(scratch(t), "lock");
	const holder = spawn(process.execPath, [fileURLToPath(new URL("lock.child.js", import.meta.url)), path], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	t.after(() => holder.kill("SIGKILL"));
	await once(holder.stdout, "data");
	assert.throws(() => takeLock("sweep", path), {
		code: "LAB_BUSY",
		message: new RegExp(`pid ${holder.pid}, sweep quick`),
	});
	holder.kill("SIGKILL");
	await once(holder, "exit");
	takeLock("sweep", path).release();
});

test("a place where no lock can be made is said by name", (t) => {
	const path = join(scratch(t), "no", "such", "folder");
	assert.throws(() => takeLock("sweep", path), { code: "LOCK_FAILED", message: new RegExp(path) });
});
