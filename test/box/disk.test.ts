import assert from "node:assert/strict";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { makeBox, sshOptions, type TestBox, until, untilEnded } from "./harness.js";
import { isRoot, type Loopback, startLoopback } from "./loopback.js";
import { type FakeSystemd, fakeSystemd } from "./systemd.js";
import { makeToyProject } from "./toy.js";

/** A real disk that is full; it takes root to make one. Everybody's tests of a full disk are in fault.test.ts. */
const DISK_MB = 24;

let loopback: Loopback;
let systemd: FakeSystemd;
let project: string;
let box: TestBox;

const ballast = () => join(loopback.home, "ballast");
/** Fills the box's disk to its last byte, or leaves some. */
function fill(leave = 0): void {
	const file = openSync(ballast(), "w");
	const block = Buffer.alloc(4096, "x");
	let written = 0;
	try {
		while (written < DISK_MB * 1_048_576) written += writeSync(file, block);
	} catch {
		// full
	}
	closeSync(file);
	if (leave > 0) writeFileSync(ballast(), Buffer.alloc(written - leave));
}
const makeRoom = () => rmSync(ballast());
const results = () => join(loopback.home, "batching-box/full/results");

function onSmallDisk(name: string, work: () => Promise<void>): void {
	if (isRoot) test(name, work);
}

if (isRoot) {
	before(async () => {
		loopback = await startLoopback({ TOY_BYTES: "100000" }, { diskMb: DISK_MB });
		systemd = fakeSystemd(loopback);
		systemd.set(["cron.service"]);
		project = makeToyProject();
		box = makeBox({ ...sshOptions(loopback, project, "full"), freeMb: 0 });
		for (const step of ["check", "wait"] as const) await box.run(step);
	});
	after(async () => {
		box.remove();
		rmSync(project, { recursive: true });
		await loopback.close();
	});
}

onSmallDisk("setup stops where the disk is full, and works once there is room", async () => {
	fill(100_000); // the toy's largest file has 300 kB
	await box.fails("DISK_FULL", "setup");
	assert.match(
		(await box.fails("DISK_FULL", "setup", { freeMb: 10 })).message,
		/the box has \d+ MB free, and needs 10/,
	);
	assert.equal(box.state().setup, undefined);
	makeRoom();
	await box.run("setup");
	await box.run("verify");
});

onSmallDisk("what an earlier setup left counts as room", async () => {
	writeFileSync(join(loopback.home, "batching-box/full/project/node_modules/large"), Buffer.alloc(12_000_000));
	await box.run("setup", { freeMb: 18 });
	await box.run("verify");
});

onSmallDisk("verify cannot take its list, and says why", async () => {
	fill();
	await box.fails("DISK_FULL", "verify");
	makeRoom();
	await box.run("verify");
});

onSmallDisk("quiet stops nothing that it cannot note", async () => {
	fill();
	await box.fails("DISK_FULL", "quiet");
	assert.deepEqual(systemd.active(), ["cron.service"]);
	makeRoom();
	await box.run("quiet");
});

onSmallDisk("start leaves no run that nobody could find again", async () => {
	fill();
	await box.fails("DISK_FULL", "start", { profile: "held" });
	await box.fails("DISK_FULL", "start", { profile: "held" });
	makeRoom();
	await box.run("start", { profile: "held" });
	assert.deepEqual(readdirSync(results()), [box.state().start?.id]);
	assert.match((await box.run("watch", { ssh: true })).message, /it goes on/);
});

onSmallDisk("a run whose disk fills up has failed, with its exit code; what there is comes home whole", async () => {
	const id = box.state().start?.id ?? "";
	const outputs = join(results(), id, "outputs");
	await until(() => existsSync(join(outputs, "toy-run/starts")));
	fill();
	writeFileSync(join(outputs, "let-go"), ""); // a name without a byte still fits
	const { message } = await untilEnded(box);
	assert.match(message, /it failed \(exit code 1\)/);
	assert.equal(readFileSync(join(results(), id, "exit"), "utf8").trim(), "1");
	const { data } = await box.run("fetch");
	const files = readdirSync(results(), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	assert.equal(Object(data).files, files.length, "every file is on the list, although the disk has no room for one");
});

onSmallDisk("teardown needs no room", async () => {
	await box.run("teardown");
	assert.deepEqual(systemd.active(), ["cron.service"]);
	assert.ok(!existsSync(join(loopback.home, "batching-box")));
});
