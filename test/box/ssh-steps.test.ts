import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { makeBox, sshOptions, type TestBox, untilEnded } from "./harness.js";
import { type Loopback, startLoopback } from "./loopback.js";
import { type FakeSystemd, fakeSystemd } from "./systemd.js";
import { makeToyProject } from "./toy.js";

let loopback: Loopback;
let project: string;
let systemd: FakeSystemd;
let box: TestBox;
before(async () => {
	loopback = await startLoopback();
	systemd = fakeSystemd(loopback);
	project = makeToyProject();
	box = makeBox(sshOptions(loopback, project, "own"));
});
after(async () => {
	box.remove();
	rmSync(project, { recursive: true });
	await loopback.close();
});
const remote = (path: string) => join(loopback.home, "batching-box/own", path);

test("nothing can be done before its time, and the message says what comes first", async () => {
	const error = await box.fails("TOO_EARLY", "verify");
	assert.match(error.message, /`verify` builds on `setup`/);
	assert.match(error.hint ?? "", /next: npx workbook box check/);
});

test("check shows the host key that will be the only one; twice is the same", async () => {
	for (const _ of [1, 2]) {
		const { message, next } = await box.run("check");
		assert.match(message, /host key SHA256:\S{43}; no other box/);
		assert.equal(next, "wait");
	}
	assert.equal(box.said.filter((line) => line.includes("taken on trust")).length, 1, "trust is said aloud, once");
	assert.equal(statSync(box.options.statePath ?? "").mode & 0o777, 0o600);
	assert.doesNotMatch(readFileSync(box.options.statePath ?? "", "utf8"), /PRIVATE|login$/);
});

test("access and launch have nothing to do on a machine of one's own", async () => {
	for (const step of ["access", "launch"] as const) {
		assert.match((await box.run(step)).message, /nothing is rented/);
	}
});

test("wait logs in; twice is the same", async () => {
	for (const _ of [1, 2]) assert.match((await box.run("wait")).message, /ssh works: .*@127\.0\.0\.1, (x86_64|aarch64)/);
});

test("setup leaves exactly the project there: no old file, nothing that git does not know, awkward names whole", async () => {
	const first = await box.run("setup");
	assert.match(first.message, /there already \(system\).*packages installed/);
	assert.ok(
		box.said.some((line) => line.includes("unknown.txt")),
		"what stays here is named",
	);
	writeFileSync(remote("project/old.txt"), "of an earlier version\n");
	mkdirSync(remote("project/old/older"), { recursive: true });
	writeFileSync(remote("project/old/older/file"), "");
	execFileSync("chown", ["-R", loopback.user, remote("project")]);
	writeFileSync(remote("project/lib/bin/workbook.js"), "broken by hand\n");
	const name = 'notebooks/it\'s a "name" $HOME `id`.md';
	rmSync(join(project, name));
	await box.run("setup");
	const there = readdirSync(remote("project"));
	for (const gone of ["old.txt", "old", "unknown.txt"]) assert.ok(!there.includes(gone), gone);
	assert.ok(!existsSync(remote(`project/${name}`)), "a file that was deleted here is deleted there");
	writeFileSync(join(project, name), "an awkward name\n");
	await box.run("setup");
	for (const file of [name, "notebooks/two\nlines.md", "lib/bin/workbook.js", "data/store.sqlite", "big.bin"]) {
		assert.deepEqual(readFileSync(remote(`project/${file}`)), readFileSync(join(project, file)), file);
	}
});

test("verify finds a changed, a lacking and an extra file, and refuses to go on; setup mends it", async () => {
	writeFileSync(remote("project/big.bin"), Buffer.alloc(300_000));
	rmSync(remote("project/data/store.sqlite"));
	writeFileSync(remote("project/lib/extra.js"), "");
	const error = await box.fails("FILES_DIFFER", "verify");
	assert.match(
		error.message,
		/differ: big\.bin; lack on the box: data\/store\.sqlite; are only on the box: lib\/extra\.js/,
	);
	assert.match((await box.fails("TOO_EARLY", "start")).message, /builds on `verify`/);
	await box.run("setup");
	for (const _ of [1, 2]) assert.match((await box.run("verify")).message, /^10 files are the same on both sides/);
});

test("quiet stops what wakes up by itself, keeps the whole list when run again, and can be undone", async () => {
	const units = ["apt-daily.timer", "cron.service", "logrotate.timer", "unattended-upgrades.service"];
	systemd.set([...units, "ssh.service"]);
	const first = await box.run("quiet");
	assert.deepEqual([...Object(first.data).stopped].sort(), units);
	assert.deepEqual(systemd.active(), ["ssh.service"]);
	systemd.set(["fstrim.timer", "ssh.service"]);
	assert.deepEqual(box.state().quiet?.stopped.length, 4);
	await box.run("quiet");
	assert.equal(box.state().quiet?.stopped.length, 5, "what was stopped before is still on the list");
	await box.run("quiet", { restore: true });
	assert.deepEqual(systemd.active(), [...units, "fstrim.timer", "ssh.service"].sort());
	assert.match((await box.run("quiet", { restore: true })).message, /nothing was stopped/);
	await box.run("quiet");
});

test("start runs detached, once, however often it is asked; everything that would disturb it is refused", async () => {
	const first = await box.run("start", { profile: "held" });
	const again = await box.run("start", { profile: "held" });
	assert.equal(Object(first.data).already, false);
	assert.equal(Object(again.data).already, true);
	for (const step of ["setup", "demo", "fetch"] as const) await box.fails("RUN_IN_PROGRESS", step);
	assert.match(
		(await box.fails("PROFILE_DIFFERS", "start", { profile: "full" })).message,
		/was started with profile held/,
	);
	assert.match((await box.fails("NO_CONSOLE", "watch")).hint ?? "", /watch --ssh/);
	assert.match((await box.run("watch", { ssh: true })).message, /run 1 of 2/);
	await box.run("fetch", { partial: true });
	assert.equal(box.state().fetch, undefined, "a part of the results is not the results");
	assert.match((await box.fails("NOT_FETCHED", "teardown")).message, /not at home/);
	const id = box.state().start?.id ?? "";
	writeFileSync(remote(`results/${id}/outputs/let-go`), "");
	assert.match((await untilEnded(box)).message, /run 2 of 2[\s\S]*it has finished/);
	assert.equal(
		readFileSync(remote(`results/${id}/outputs/toy-run/starts`), "utf8")
			.trim()
			.split("\n").length,
		1,
	);
	assert.match((await box.run("start", { profile: "held" })).message, /has finished already; --again/);
});

test("demo runs there after the run, and its output is among the results", async () => {
	for (const _ of [1, 2]) await box.run("demo");
	assert.ok(box.said.includes("a tiny demo"));
	assert.equal(readFileSync(remote("results/demo/demo.txt"), "utf8"), "a tiny demo\n");
});

test("a restart gets an id of its own and leaves the earlier outputs by theirs", async () => {
	const before = box.state().start?.id ?? "";
	const { data } = await box.run("start", { profile: "smoke", again: true });
	const after = box.state().start?.id ?? "";
	assert.notEqual(after, before);
	assert.deepEqual(Object(data).aside, [before, "demo"]);
	await untilEnded(box);
	assert.ok(existsSync(remote(`results/${before}/outputs/toy-run/record.bin`)));
	assert.ok(existsSync(remote(`results/${after}/outputs/toy-run/record.bin`)));
});

test("fetch marks results safe only when every file is the same; what was left half or was tampered with is mended", async () => {
	const id = box.state().start?.id ?? "";
	const record = join(box.folder, "results", id, "outputs/toy-run/record.bin");
	const first = await box.run("fetch");
	assert.match(first.message, /results safe: \d+ files/);
	assert.equal(first.next, "report");
	const truth = readFileSync(remote(`results/${id}/outputs/toy-run/record.bin`));
	const { mtime, atime } = statSync(record);
	writeFileSync(record, Buffer.alloc(truth.length, "x")); // same size and time: rsync alone would not look
	utimesSync(record, atime, mtime);
	assert.match((await box.fails("NOT_FETCHED", "teardown")).message, /not as it was verified any more: .*record\.bin/);
	symlinkSync("/etc", remote(`results/${id}/outputs/elsewhere`));
	await box.run("fetch");
	assert.deepEqual(readFileSync(record), truth);
	assert.ok(!existsSync(join(record, "../../elsewhere")), "a link that leads out of the results stays there");
	assert.ok(existsSync(join(record, "../../latest/record.bin")), "a link within them comes home");
	await box.run("fetch");
	writeFileSync(record, truth.subarray(0, 10));
	await box.run("fetch");
	assert.deepEqual(readFileSync(record), truth);
});

test("status and cost only look", async () => {
	const before = readFileSync(box.options.statePath ?? "", "utf8");
	assert.match((await box.run("status")).message, /done: check, .*fetch/);
	assert.match((await box.run("cost")).message, /nothing is rented/);
	assert.equal(readFileSync(box.options.statePath ?? "", "utf8"), before);
});

test("teardown leaves the machine as it was; twice is the same, and a new life begins with check", async () => {
	for (const _ of [1, 2]) await box.run("teardown");
	assert.ok(!existsSync(remote("..")), "nothing of ours is left");
	assert.ok(systemd.active().includes("cron.service"));
	assert.match((await box.run("status")).situation, /torn down; .*results safe in/);
	await box.run("check");
	assert.equal(box.state().teardown, undefined);
});
