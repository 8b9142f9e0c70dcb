import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { type Endpoint, startEndpoint } from "./endpoint.js";
import { makeBox, type TestBox } from "./harness.js";
import { makeToyProject } from "./toy.js";

const WORKBOOK = join(dirname(createRequire(import.meta.url).resolve("batching-lab/package.json")), "bin/workbook.js");

let endpoint: Endpoint;
let project: string;
before(async () => {
	endpoint = await startEndpoint();
	project = makeToyProject();
});
after(async () => {
	await endpoint.close();
	rmSync(project, { recursive: true });
});

/** The command itself, ended at the very moment when the cloud has rented and not answered yet. */
async function launchEndedBy(box: TestBox, signal: NodeJS.Signals): Promise<{ code: number | null; text: string }> {
	const args = [WORKBOOK, "box", "launch", "--state", box.options.statePath ?? "", "--project", project];
	const child: ChildProcess = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
	let text = "";
	for (const stream of [child.stdout, child.stderr]) {
		stream?.on("data", (part: Buffer) => {
			text += part.toString();
		});
	}
	endpoint.fault = (action) => {
		if (action !== "RunInstances") return undefined;
		child.kill(signal);
		return "unanswered";
	};
	await once(child, "close");
	endpoint.fault = () => undefined;
	return { code: child.exitCode, text };
}

for (const signal of ["SIGINT", "SIGKILL"] as const) {
	test(`launch ended by ${signal} orphans nothing: check finds the machine, launch takes it over, teardown deletes it`, async () => {
		const name = signal.toLowerCase();
		const box = makeBox({ name, project, provider: "ec2", address: "192.0.2.7" }, { secondMs: 1 });
		await box.run("check");
		await box.run("access");
		const { code, text } = await launchEndedBy(box, signal);
		if (signal === "SIGINT") {
			assert.equal(code, 130);
			assert.match(
				text,
				/interrupted\n.*a machine was asked for, the answer is not known; next: npx workbook box launch/,
			);
		}
		assert.equal(endpoint.world.living().length, 1);
		assert.match((await box.fails("BOX_ORPHANED", "check")).hint ?? "", /`launch` takes it over/);
		assert.match((await box.run("launch")).message, /^there already/);
		assert.equal(endpoint.world.machines.size, 1);
		await box.run("teardown");
		assert.deepEqual(endpoint.world.resources(), []);
		endpoint.world.machines.clear();
		box.remove();
	});
}
