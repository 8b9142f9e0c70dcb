import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { type Endpoint, type Fault, startEndpoint } from "./endpoint.js";
import { fastBoxes } from "./fast-remote.js";
import { makeBox, type TestBox } from "./harness.js";
import { makeToyProject } from "./toy.js";
import { Refusal } from "./world.js";

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
	endpoint.world.lag = 0;
	await box.run("teardown", { discard: true });
	assert.deepEqual(endpoint.world.resources(), []);
	endpoint.world.machines.clear();
	box.remove();
});
after(async () => {
	await endpoint.close();
	rmSync(project, { recursive: true });
});

const once = (fault: Fault | Refusal, action: string) => {
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
	assert.match(error.hint ?? "", /a machine was asked for, the answer is not known; next: npx workbook box launch/);
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
	assert.match((await box.fails("BOX_ORPHANED", "check")).hint ?? "", /rented by a state that is lost/);
	assert.match((await box.fails("NOT_FETCHED", "teardown")).message, /what results it holds is not known/);
	assert.equal(endpoint.world.living().length, 1);
	await box.run("teardown", { discard: true });
	assert.deepEqual(endpoint.world.resources(), []);
});

test("a machine of a lost state that launch took over is not deleted with whatever it holds, unless one says so", async () => {
	await launched();
	const { launch, ...forgotten } = box.state();
	writeFileSync(box.options.statePath ?? "", JSON.stringify(forgotten));
	assert.match((await box.run("launch")).message, /^taken over: i-\d+, c7g\.medium, rented by a state that is lost/);
	assert.equal(box.state().launch?.instanceId, launch?.instanceId);
	for (const _ of [1, 2]) await box.fails("NOT_FETCHED", "teardown");
	assert.equal(endpoint.world.living().length, 1);
});

test("a cloud whose lists lag behind: wait is patient, and no machine is forgotten", async () => {
	endpoint.world.lag = 3;
	await launched();
	await box.run("wait", { waitSeconds: 5 });
	assert.ok(box.said.some((line) => line.endsWith("is not listed yet")));
});

test("teardown after a launch whose answer was lost looks until the machine is listed", async () => {
	endpoint.world.lag = 3;
	await box.run("check");
	await box.run("access");
	once("lost-after", "RunInstances");
	await box.fails("CLOUD_UNREACHABLE", "launch");
	assert.match((await box.run("teardown")).message, /deleted 1 machine,/);
	assert.deepEqual(endpoint.world.resources(), []);
});

test("teardown at once after a launch deletes a machine that is not listed yet", async () => {
	endpoint.world.lag = 3;
	await launched();
	assert.match((await box.run("teardown")).message, /deleted 1 machine,/);
	assert.deepEqual(endpoint.world.resources(), []);
});

test("a request that the cloud refuses leaves nothing behind that the next one would repeat", async () => {
	await box.run("check");
	await box.run("access");
	once(new Refusal("InvalidAMIID.NotFound", "The image id '[ami-typo]' does not exist"), "RunInstances");
	const error = await box.fails("CLOUD_REFUSED", "launch", { imageId: "ami-typo" });
	assert.match(error.hint ?? "", /nothing was done by this request.*nothing rented; next: npx workbook box launch/s);
	await box.run("launch", { imageId: "ami-right" });
	assert.equal(endpoint.world.living()[0]?.request.get("ImageId"), "ami-right");
});

test("what the cloud says is shown without what one signs with", async () => {
	for (const said of ["secret-of-the-test", "AKIDTEST is not secret-of-the-test", "AKIAIOSFODNN7EXAMPLE"]) {
		once(new Refusal("SignatureDoesNotMatch", `you sent ${said}`, 403), "DescribeInstances");
		const error = await box.fails("CLOUD_CREDENTIALS", "check");
		assert.doesNotMatch(`${error.message} ${error.hint}`, /secret-of-the-test|AKIDTEST|AKIA/);
	}
});

test("a machine that is taken away ends `watch --follow`, whatever its console said last", async () => {
	await launched();
	for (const step of ["wait", "setup", "verify", "start"] as const) await box.run(step);
	assert.match((await box.run("watch")).message, /it goes on/);
	for (const machine of endpoint.world.living()) endpoint.world.vanish(machine);
	await box.fails("BOX_GONE", "watch", { follow: true });
});

test("after teardown no step works on what is gone; check begins anew", async () => {
	await launched();
	await box.run("teardown");
	for (const step of ["launch", "wait", "setup", "start", "fetch"] as const) {
		assert.match((await box.fails("TORN_DOWN", step)).hint ?? "", /`check` begins anew/);
	}
	assert.deepEqual(endpoint.world.resources(), []);
	await launched();
});

test("a key that was named is the only one that is taken, also from the console", async () => {
	endpoint.world.console = () =>
		"-----BEGIN SSH HOST KEY KEYS-----\nssh-ed25519 AAAAC3 root@x\n-----END SSH HOST KEY KEYS-----";
	await launched();
	await box.fails("HOST_KEY_CHANGED", "wait", { hostKey: "SHA256:another" });
	await box.run("wait");
	assert.equal(box.state().login?.hostKey?.source, "console");
	endpoint.world.console = () => "";
});

test("access mends a key whose public half is lost, and says so when a rented machine's own key is", async () => {
	await box.run("check");
	await box.run("access");
	const key = join(box.options.statePath ?? "", "..", "key");
	const before = readFileSync(key, "utf8");
	rmSync(`${key}.pub`);
	await box.run("access");
	assert.equal(readFileSync(key, "utf8"), before);
	await box.run("launch");
	rmSync(key);
	assert.match((await box.fails("KEY_LOST", "access")).hint ?? "", /teardown --discard/);
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
	assert.match(error.hint ?? "", /is gone; next: npx workbook box teardown/);
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
