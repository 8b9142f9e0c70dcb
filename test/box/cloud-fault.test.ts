import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { type Endpoint, type Fault, startEndpoint } from "./endpoint.js";
import { fastBoxes } from "./fast-remote.js";
import { makeBox, type TestBox } from "./harness.js";
import { makeToyProject } from "./toy.js";

let endpoint: Endpoint;
let project: string;
let box: TestBox;
before(async () => {
	endpoint = await startEndpoint();
	project = makeToyProject();
});
beforeEach(() => {
	const boxes = fastBoxes(project);
	boxes.alive = () => endpoint.world.living().some(({ state }) => state === "running");
	const options = { name: "cloudy", project, provider: "ec2", address: "192.0.2.7", waitSeconds: 1 } as const;
	box = makeBox(options, { openRemote: boxes.open, secondMs: 1 });
});
afterEach(async () => {
	endpoint.fault = () => undefined;
	endpoint.world.pendingLooks = 1;
	await box.run("teardown", { discard: true });
	assert.deepEqual(endpoint.world.resources(), []);
	endpoint.world.machines.clear();
	box.remove();
});
after(async () => {
	await endpoint.close();
	rmSync(project, { recursive: true });
});

const once = (fault: Fault, action: string) => {
	let left = 1;
	endpoint.fault = (asked) => (asked === action && left-- > 0 ? fault : undefined);
};
const launched = async () => {
	for (const step of ["check", "access", "launch"] as const) await box.run(step);
};

test("each refusal of the cloud has a name, a reason and a way on", async () => {
	await box.run("check");
	for (const [fault, code, words] of [
		["throttled", "CLOUD_THROTTLED", /wait a minute/],
		["denied", "CLOUD_DENIED", /check --dry-run/],
		["expired", "CLOUD_EXPIRED", /sign in again/],
		["broken", "CLOUD_UNREACHABLE", /looked up when the step runs again/],
		["lost-before", "CLOUD_UNREACHABLE", /looked up when the step runs again/],
	] as const) {
		once(fault, "ImportKeyPair");
		const error = await box.fails(code, "access");
		assert.match(error.hint ?? "", words);
		assert.doesNotMatch(`${error.message} ${error.hint}`, /secret-of-the-test|AKIDTEST/);
	}
	await box.run("access");
});

test("a throttled call is asked again by itself", async () => {
	process.env.AWS_MAX_ATTEMPTS = "3";
	once("throttled", "DescribeInstances");
	await box.run("check");
	process.env.AWS_MAX_ATTEMPTS = "1";
});

test("an answer that is lost in launch rents nothing twice", async () => {
	await box.run("check");
	await box.run("access");
	once("lost-after", "RunInstances");
	const error = await box.fails("CLOUD_UNREACHABLE", "launch");
	assert.match(error.hint ?? "", /a machine was asked for, the answer is not known; next: workbook box launch/);
	assert.match((await box.run("launch")).message, /there already/);
	assert.equal(endpoint.world.machines.size, 1);
});

test("Ctrl-C in launch leaves no orphan: check finds it, launch takes it over", async () => {
	await box.run("check");
	await box.run("access");
	const controller = new AbortController();
	endpoint.fault = (action) => {
		if (action === "RunInstances") queueMicrotask(() => controller.abort());
		return undefined;
	};
	await box.fails("INTERRUPTED", "launch", {}, { signal: controller.signal });
	assert.equal(endpoint.world.living().length, 1);
	const error = await box.fails("BOX_ORPHANED", "check");
	assert.match(error.hint ?? "", /`launch` takes it over, `teardown` deletes it/);
	await box.run("launch");
	await box.run("check");
	assert.equal(endpoint.world.machines.size, 1);
});

test("Ctrl-C in launch and a state that is lost: teardown deletes what carries the box's tags", async () => {
	await launched();
	rmSync(box.options.statePath ?? "");
	await box.fails("BOX_ORPHANED", "check");
	await box.run("teardown");
	assert.deepEqual(endpoint.world.resources(), []);
});

test("another box of the project stops the first step", async () => {
	await launched();
	const other = makeBox({ ...box.options, name: "other", statePath: `${box.folder}/other/state.json` });
	const error = await other.fails("BOX_EXISTS", "check");
	assert.match(error.message, /i-\d+ \(box cloudy, (pending|running)\)/);
	assert.match(error.hint ?? "", /teardown --name cloudy/);
	other.remove();
});

test("a box that never boots ends the wait, which can be repeated or given up", async () => {
	endpoint.world.pendingLooks = Number.POSITIVE_INFINITY;
	await launched();
	for (const _ of [1, 2]) assert.match((await box.fails("WAIT_TOO_LONG", "wait")).message, /is still pending/);
});

test("a box that is taken away is told as gone, and a new one can be rented", async () => {
	await launched();
	const [machine] = endpoint.world.living();
	assert.ok(machine);
	endpoint.world.vanish(machine);
	const error = await box.fails("BOX_GONE", "wait");
	assert.match(error.hint ?? "", /is gone; next: workbook box teardown/);
	await box.run("launch");
	assert.notEqual(box.state().launch?.instanceId, machine.id);
	await box.run("wait");
});

test("a box that is taken away during the run: nothing pretends that its results are safe", async () => {
	await launched();
	for (const step of ["wait", "setup", "verify", "start"] as const) await box.run(step);
	for (const machine of endpoint.world.living()) endpoint.world.vanish(machine);
	await box.fails("CONNECTION_LOST", "fetch");
	await box.fails("BOX_GONE", "wait");
	assert.match((await box.fails("NOT_FETCHED", "teardown")).hint ?? "", /--discard deletes without them/);
});
