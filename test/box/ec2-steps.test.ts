import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Endpoint, startEndpoint } from "./endpoint.js";
import { makeBox, type TestBox } from "./harness.js";
import { type Loopback, startLoopback } from "./loopback.js";
import { tempFolder } from "./temp.js";
import { makeToyProject } from "./toy.js";

let endpoint: Endpoint;
let loopback: Loopback;
let project: string;
let box: TestBox;
let console: string;
before(async () => {
	endpoint = await startEndpoint();
	loopback = await startLoopback();
	project = makeToyProject();
	console = join(loopback.folder, "console");
	writeFileSync(console, "", { mode: 0o666 });
	chmodSync(console, 0o666);
	endpoint.world.console = () => readFileSync(console, "utf8");
	box = makeBox({ name: "rented", project, provider: "ec2", address: "192.0.2.7", port: loopback.proxy.port, console });
});
after(async () => {
	box.remove();
	rmSync(project, { recursive: true });
	await endpoint.close();
	await loopback.close();
});

const only = <T>(items: Iterable<T>): T => {
	const all = [...items];
	assert.equal(all.length, 1);
	return all[0] as T;
};

/** Runs what a machine does at its first start, and what it left for a start an hour later. */
function shutdowns(birth: string): { first: string; later: string } {
	const folder = tempFolder("birth");
	const said = join(folder, "said");
	const program = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o755 });
	program("shutdown", `#!/bin/sh\necho "$@" > ${said}\n`);
	const run = (file: string, time: number) => {
		program("date", `#!/bin/sh\necho ${time}\n`);
		execFileSync("/bin/sh", [file], { env: { PATH: `${folder}:${process.env.PATH}` } });
		return readFileSync(said, "utf8").trim();
	};
	program("birth", birth.replaceAll("/var/lib/cloud/scripts/per-boot", folder));
	const first = run(join(folder, "birth"), 1_800_000_000);
	const later = run(join(folder, "batching-end"), 1_800_003_600);
	rmSync(folder, { recursive: true });
	return { first, later };
}

test("a dry run asks nobody and writes nothing", async () => {
	const { message } = await box.run("launch", { dryRun: true, maxHours: 4 });
	for (const part of [
		"c7g.medium",
		'"HttpTokens": "required"',
		'"Encrypted": true',
		"shutdown -P +240",
		"per-boot",
		'"Project"',
	])
		assert.ok(message.includes(part), part);
	assert.deepEqual(endpoint.calls, []);
	assert.ok(!existsSync(box.options.statePath ?? ""));
});

test("check counts the machines of this project", async () => {
	for (const _ of [1, 2]) assert.match((await box.run("check")).message, /^0 machines of this project in eu-test-1/);
});

test("access makes one key that only its owner can read, and one door for one address, moved when the address moves", async () => {
	await box.run("access");
	await box.run("access", { address: "198.51.100.9" });
	const group = only(endpoint.world.groups.values());
	assert.deepEqual(group.doors, [{ port: "22", cidr: "198.51.100.9/32" }]);
	const key = only(endpoint.world.keys.values());
	assert.deepEqual(Object.fromEntries(key.tags), {
		Project: "batching-workbook",
		Box: "rented",
		Name: "batching-workbook-rented",
	});
	const file = join(box.options.statePath ?? "", "..", "key");
	assert.equal(statSync(file).mode & 0o777, 0o600);
	assert.equal(key.material, readFileSync(`${file}.pub`, "utf8").trim());
	loopback.allow(key.material);
});

test("launch rents one machine, as described, and only one however often it is asked", async () => {
	const first = await box.run("launch", { maxHours: 3 });
	const second = await box.run("launch");
	assert.deepEqual(Object(first.data).instanceId, Object(second.data).instanceId);
	assert.match(second.message, /there already/);
	const { request } = only(endpoint.world.living());
	const expected = {
		InstanceType: "c7g.medium",
		ImageId: "ami-2026-11-02",
		"MetadataOptions.HttpTokens": "required",
		"BlockDeviceMapping.1.Ebs.Encrypted": "true",
		"BlockDeviceMapping.1.Ebs.DeleteOnTermination": "true",
		InstanceInitiatedShutdownBehavior: "terminate",
	};
	for (const [name, value] of Object.entries(expected)) assert.equal(request.get(name), value, name);
	const birth = Buffer.from(request.get("UserData"), "base64").toString();
	assert.match(birth, /^#!\/bin\/sh\nshutdown -P \+180\n/);
	assert.deepEqual(shutdowns(birth), { first: "-P +180", later: "-P +120" });
	for (const type of ["instance", "volume"]) assert.equal(request.tags(type).get("Project"), "batching-workbook", type);
});

test("wait pins the host key that the machine printed on its console", async () => {
	const timer = setTimeout(() => {
		const keys = `-----BEGIN SSH HOST KEY KEYS-----\n${loopback.hostKey} root@box\n-----END SSH HOST KEY KEYS-----\n`;
		appendFileSync(console, `[   12.3] cloud-init: hello\r\n${keys}`);
	}, 300);
	// the loopback machine's own user, in the place of the image's
	for (const _ of [1, 2]) await box.run("wait", { host: `${loopback.user}@box` });
	clearTimeout(timer);
	assert.equal(box.state().login?.hostKey?.source, "console");
	assert.ok(box.said.some((line) => line.includes("as the machine printed it")));
});

test("a machine that shows another host key than the pinned one is refused", async () => {
	const pinned = join(box.options.statePath ?? "", "..", "known_hosts");
	const right = readFileSync(pinned, "utf8");
	writeFileSync(
		pinned,
		"batching-box ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGYTQ5mNJYbuNSGLcNUvqjLUvXzGdFdcSiLqkzpEK0dS\n",
	);
	await box.fails("HOST_KEY_CHANGED", "setup");
	writeFileSync(pinned, right);
});

test("setup, verify, start: the run writes its progress where the cloud reads it, and nobody logs in to watch", async () => {
	await box.run("setup");
	await box.run("verify");
	await box.run("start", { profile: "smoke" });
	const carried = loopback.proxy.carried;
	const { message } = await box.run("watch", { follow: true }, { secondMs: 10 });
	assert.match(message, /run 1 of 2\nrun 2 of 2\nstart \S+: ended, exit code 0\nrun \S+: it has finished/);
	assert.equal(loopback.proxy.carried, carried, "not a byte went to the box");
});

test("cost is hours times price", async () => {
	const { data } = await box.run("cost", { pricePerHour: 2 });
	assert.equal(Object(data).usd, Object(data).hours * 2);
	assert.equal(Object(data).mostUsd, 6);
	process.env.BATCHING_BOX_PRICE = "3";
	assert.equal(Object((await box.run("cost")).data).pricePerHour, 3);
	assert.equal(Object((await box.run("cost", { pricePerHour: 2 })).data).pricePerHour, 2, "an option comes first");
	process.env.BATCHING_BOX_PRICE = "cheap";
	await box.fails("BAD_PRICE", "cost");
	delete process.env.BATCHING_BOX_PRICE;
});

test("a price that nobody gave is named as an assumption, with its date, its source and the way to replace it", async () => {
	const { message, data } = await box.run("cost");
	assert.equal(Object(data).priceAssumed, true);
	assert.match(
		message,
		/assumed, not looked up: .* from memory in \d{4} for us-east-1, while this box is in eu-test-1; --price or BATCHING_BOX_PRICE names yours, https:/,
	);
});

test("fetch, teardown: nothing is left, neither there nor of the key here; again finds nothing to do", async () => {
	await box.fails("NOT_FETCHED", "teardown");
	assert.equal(endpoint.world.living().length, 1);
	await box.run("fetch");
	assert.match(
		(await box.run("teardown")).message,
		/deleted 1 machine, the group and the key; looked again: nothing is left in eu-test-1; results in /,
	);
	assert.deepEqual(endpoint.world.resources(), []);
	assert.ok(!existsSync(join(box.options.statePath ?? "", "..", "key")));
	assert.match((await box.run("teardown")).message, /deleted 0 machines/);
	assert.match((await box.run("cost", { pricePerHour: 2 })).message, /USD before tax/);
	const everything = [readFileSync(box.options.statePath ?? "", "utf8"), ...box.said].join("\n");
	assert.doesNotMatch(everything, /secret-of-the-test|AKIDTEST/, "no credential is stored or said");
	assert.equal(endpoint.calls.filter((call) => call === "RunInstances").length, 1);
});
