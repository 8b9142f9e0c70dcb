import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { type BoxOptions, runStep, STEP_NAMES, STEPS } from "batching-lab/box";
import { tempFolder } from "./temp.js";

const folder = tempFolder("state");
after(() => rmSync(folder, { recursive: true }));
const statePath = join(folder, "state.json");
const refuses = (code: string, options: BoxOptions, message = /./) =>
	assert.rejects(runStep("status", { statePath, ...options }), { code, message });

test("a state inside a git tree is refused: a private key lies beside it", async () => {
	mkdirSync(join(folder, "tree/.git"), { recursive: true });
	await refuses(
		"STATE_IN_GIT",
		{ statePath: join(folder, "tree/deep/state.json") },
		/would lie in the git tree .*tree/,
	);
	assert.ok(!existsSync(join(folder, "tree/deep")));
	symlinkSync(join(folder, "tree"), join(folder, "link"));
	await refuses(
		"STATE_IN_GIT",
		{ statePath: join(folder, "link/deep/state.json") },
		/would lie in the git tree .*tree/,
	);
});

test("a file that is no state, or half of one, is left alone and named", async () => {
	for (const content of ["", "{", "{}", '{"version":2}', "[]"]) {
		writeFileSync(statePath, content);
		await refuses("STATE_UNREADABLE", {}, /state\.json is not the state of a box/);
	}
	rmSync(statePath);
});

test("names and hosts that could mean more than themselves are refused", async () => {
	for (const name of ["", "A", "../x", "a b", "-x", "x;y", "$(id)", "a".repeat(32)])
		await refuses("BAD_NAME", { name });
	for (const host of [
		"",
		"-oProxyCommand=id",
		"a b",
		"u@-x",
		"u@h;id",
		"$(id)@h",
		"u@`id`",
		"u@h\nUser root",
		"@h",
		"u@",
	]) {
		await refuses("BAD_HOST", { provider: "ssh", host }, /--host takes user@host/);
	}
	for (const host of ["pi@raspberrypi.local", "host", "me@192.0.2.1", "me@2001:db8::1"]) {
		await runStep("status", { statePath, provider: "ssh", host });
	}
});

test("one state is one box: another provider or name is refused", async () => {
	const state = { version: 1, name: "lab", provider: "ec2", createdAt: "2026-10-04T10:00:00.000Z" };
	writeFileSync(statePath, JSON.stringify(state));
	await refuses("PROVIDER_DIFFERS", { provider: "ssh", host: "x" }, /is of provider ec2, not ssh/);
	await refuses("NAME_DIFFERS", { name: "other" });
	rmSync(statePath);
});

test("every step can say what it would do without a state, an account or a machine", async () => {
	for (const step of STEP_NAMES) {
		for (const options of [{ provider: "ec2" }, { provider: "ssh", host: "me@example.org" }] as const) {
			const { message, situation } = await runStep(step, { statePath, dryRun: true, ...options });
			assert.match(message, /^(would: |nothing to do with provider ssh)/, step);
			assert.match(situation, /^box "lab" \((ec2|ssh)\)/);
		}
		assert.ok(STEPS[step].does.length > 10);
	}
	assert.ok(!existsSync(statePath));
});
