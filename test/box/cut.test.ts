import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { CodedError } from "batching-lab/base";
import type { BoxOptions, StepName } from "batching-lab/box";
import { makeBox, sshOptions, type TestBox, untilEnded } from "./harness.js";
import { type Loopback, startLoopback } from "./loopback.js";
import { type FakeSystemd, fakeSystemd } from "./systemd.js";
import { makeToyProject } from "./toy.js";

const RECORD_BYTES = 6_000_000;
let loopback: Loopback;
let project: string;
let systemd: FakeSystemd;
let box: TestBox;
before(async () => {
	loopback = await startLoopback({ TOY_BYTES: String(RECORD_BYTES) });
	systemd = fakeSystemd(loopback);
	systemd.set(["cron.service"]);
	project = makeToyProject();
	box = makeBox(sshOptions(loopback, project, "cut"));
	await box.run("check");
});
after(async () => {
	box.remove();
	rmSync(project, { recursive: true });
	await loopback.close();
});

/** Before the greeting, within the key exchange, after the log-in, and somewhere in what follows. */
const CUTS = [0, 2500, 7000, 40_000];

/** Cuts the way at each place while the step runs, then lets it be: the step must say what happened, and then do its work. */
async function survives(step: StepName, more: BoxOptions = {}): Promise<void> {
	let lost = 0;
	for (const cutAfter of CUTS) {
		loopback.proxy.cutAfter = cutAfter;
		try {
			await box.run(step, more);
		} catch (error) {
			assert.ok(error instanceof CodedError, String(error));
			assert.match(error.code, /^(CONNECTION_LOST|HOST_SILENT)$/, `${step}, cut after ${cutAfter}: ${error.message}`);
			assert.match(error.hint ?? "", /; next: npx workbook box [a-z]+/);
			lost++;
		} finally {
			loopback.proxy.cutAfter = Number.POSITIVE_INFINITY;
		}
	}
	assert.ok(lost >= 2, `${step} met the cuts`);
	await box.run(step, more);
}

test("wait survives a cut way", () => survives("wait"));
test("setup survives a cut way", () => survives("setup"));
test("verify survives a cut way", () => survives("verify"));

test("quiet survives a cut way, and forgets nothing that it stopped", async () => {
	await survives("quiet");
	assert.deepEqual(box.state().quiet?.stopped, ["cron.service"]);
});

test("start survives a cut way, and starts once", async () => {
	await survives("start", { profile: "smoke" });
	await untilEnded(box);
	const results = join(loopback.home, "batching-box/cut/results");
	const runs = readdirSync(results);
	assert.deepEqual(runs, [box.state().start?.id]);
	assert.equal(
		readFileSync(join(results, runs[0] ?? "", "outputs/toy-run/starts"), "utf8")
			.trim()
			.split("\n").length,
		1,
	);
});

test("watch and demo survive a cut way", async () => {
	await survives("watch", { ssh: true });
	await survives("demo");
});

test("fetch survives a cut way, takes nothing half for whole, and goes on where the copy was cut", async () => {
	const { proxy } = loopback;
	proxy.cutAfter = (RECORD_BYTES * 2) / 3;
	await box.fails("CONNECTION_LOST", "fetch");
	proxy.cutAfter = Number.POSITIVE_INFINITY;
	assert.equal(box.state().fetch, undefined);
	await box.fails("NOT_FETCHED", "teardown");
	const before = proxy.carried;
	await box.run("fetch");
	assert.ok(proxy.carried - before < (RECORD_BYTES * 2) / 3, "what had come over did not come again");
	await survives("fetch");
	assert.match((await box.run("status")).situation, /results safe/);
});

test("a way that is open and carries nothing counts as lost", async () => {
	loopback.proxy.stallAfter = 7000;
	// in the exchange of keys, while logging in, in a script's words
	for (const stallAfter of [2500, 6300, 7000]) {
		loopback.proxy.stallAfter = stallAfter;
		await box.fails("CONNECTION_LOST", "verify", {}, { aliveSeconds: 1 });
	}
	loopback.proxy.stallAfter = Number.POSITIVE_INFINITY;
	await box.run("verify");
});

test("a machine that lets us in and then does nothing does not keep us for ever", async () => {
	loopback.program("bash", "#!/bin/sh\nexec sleep 20\n");
	const error = await box.fails("CONNECTION_LOST", "verify", {}, { aliveSeconds: 1 });
	assert.match(error.message, /the machine said nothing for 14 s/);
	rmSync(join(loopback.bin, "bash"));
	await box.run("verify");
});

test("a slow way is only slow", async () => {
	loopback.proxy.bytesPerSecond = 60_000;
	await box.run("verify");
	loopback.proxy.bytesPerSecond = Number.POSITIVE_INFINITY;
});

test("teardown survives a cut way", async () => {
	await survives("teardown");
	assert.deepEqual(systemd.active(), ["cron.service"]);
	assert.ok(!readdirSync(loopback.home).includes("batching-box"));
});
