import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { type FastBoxes, fastBoxes } from "./fast-remote.js";
import { makeBox, type TestBox } from "./harness.js";
import { makeToyProject } from "./toy.js";

/** A box that lies: what it says must not reach beyond its results, nor into the terminal. */
let project: string;
let boxes: FastBoxes;
let box: TestBox;
before(() => {
	project = makeToyProject();
});
beforeEach(async () => {
	boxes = fastBoxes(project);
	box = makeBox({ name: "liar", project, provider: "ssh", host: "me@example.org" }, { openRemote: boxes.open });
	for (const step of ["check", "wait", "setup", "verify", "start"] as const) await box.run(step);
});
afterEach(() => box.remove());
after(() => rmSync(project, { recursive: true }));

const ZEROS = "0".repeat(64);

test("a list of results that leads out of them is refused, and nothing there is touched", async () => {
	const precious = join(box.folder, "precious");
	writeFileSync(precious, "mine");
	for (const path of ["../precious", "a/../../precious", precious, "a//b", "./a"]) {
		boxes.says("hash-results", `${ZEROS} 4 ${path}\0END 1\0`);
		await box.fails("BAD_MANIFEST", "fetch");
		assert.equal(box.state().fetch, undefined);
	}
	assert.equal(readFileSync(precious, "utf8"), "mine");
});

test("a link that lies among the results at home leads no deletion elsewhere", async () => {
	const outside = join(box.folder, "outside");
	mkdirSync(outside);
	mkdirSync(box.options.to ?? "");
	writeFileSync(join(outside, "precious"), "mine");
	symlinkSync(outside, join(box.options.to ?? "", "link"));
	boxes.says("hash-results", `${ZEROS} 4 link/precious\0END 1\0`);
	await box.fails("RESULTS_DIFFER", "fetch");
	assert.equal(readFileSync(join(outside, "precious"), "utf8"), "mine");
});

test("a record that leads out of the results is not reported on", async () => {
	await box.run("fetch");
	const outputs = join(box.options.to ?? "", box.state().start?.id ?? "", "outputs");
	mkdirSync(outputs, { recursive: true });
	symlinkSync(project, join(outputs, "latest"));
	assert.match((await box.fails("NO_RECORD", "report")).message, /leads out of the results/);
});

test("progress lines cannot move the cursor, ring, or name the window", async () => {
	boxes.says("progress", `run=${boxes.run}\ngoing=yes\nline=\u001b]0;owned\u0007\u001b[2Jrun 1 of 2\r\n`);
	const { message } = await box.run("watch", { ssh: true });
	assert.match(message, /run 1 of 2/);
	assert.doesNotMatch(message, /(?!\n)\p{Cc}/u);
});

test("an exit code that is none counts as a run that died, never as success", async () => {
	for (const exit of ["", "yes", "0x0", "-0"]) {
		boxes.says("progress", `run=${boxes.run}\nexit=${exit}\n`);
		assert.match((await box.run("watch", { ssh: true })).message, /it failed \(it died\)/);
	}
	assert.ok(!existsSync(box.options.to ?? ""));
});
