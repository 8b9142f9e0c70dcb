import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type ClientConfigure, countOutcomes, startClient } from "batching-lab/client";
import { answer, every, httpServer, prediction } from "./servers.js";

const configureFor = (url: string): ClientConfigure => ({
	type: "configure",
	mode: "open",
	url,
	connections: 4,
	bodies: ["{}"],
	offset: 0,
	warmupMs: 50,
	warmupRate: 100,
	countMs: 0,
	arrivalsNs: every(5, 20),
	pacing: "timer",
	drainMs: 2000,
});

test("a process of its own: warm, go, done, stop; its epoch is this machine's monotonic clock", async () => {
	const server = await httpServer((response) => answer(response, prediction(0.5)));
	const client = await startClient();
	try {
		await client.configure(configureFor(server.url));
		const before = process.hrtime.bigint();
		client.go();
		const { columns, epochNs, cpuUs, rssBytes } = await client.result;
		assert.ok(epochNs >= before && epochNs <= process.hrtime.bigint());
		assert.equal(countOutcomes(columns.outcome).answered, 20);
		assert.deepEqual(columns.scheduledNs, every(5, 20));
		assert.ok(cpuUs > 0 && rssBytes > 0);
	} finally {
		await client.stop();
		await server.close();
	}
	assert.equal(await client.exited, 0);
});

test("what it refuses and what it cannot do come back as coded errors with their hints", async () => {
	const wrong = await startClient();
	await assert.rejects(wrong.configure(configureFor("gopher://x")), {
		code: "BAD_URL",
		exitCode: 2,
		hint: /for example/,
	});
	await wrong.stop();
	const nobody = await startClient();
	await assert.rejects(nobody.configure(configureFor("http://127.0.0.1:1/")), { code: "CANNOT_CONNECT", exitCode: 1 });
	await assert.rejects(nobody.result, { code: "CANNOT_CONNECT" });
	await nobody.stop();
});

test("a client that is killed while it counts is an error, not a wait", async () => {
	const server = await httpServer((response) => answer(response, prediction(0.5)));
	const client = await startClient();
	try {
		await client.configure({ ...configureFor(server.url), arrivalsNs: every(100, 600) });
		client.go();
		process.kill(client.pid, "SIGKILL");
		await assert.rejects(client.result, { code: "CLIENT_DIED", message: /SIGKILL/ });
	} finally {
		await server.close();
	}
});

test("an abort ends it with the abort's reason", async () => {
	const stop = new AbortController();
	const client = await startClient({ signal: stop.signal });
	stop.abort(new Error("enough"));
	await assert.rejects(client.result, /enough/);
	assert.equal(await client.exited, "SIGKILL");
});

test("it ends when its parent is gone", async () => {
	const parent = spawn(
		process.execPath,
		[
			"--input-type=module",
			"-e",
			'import { startClient } from "batching-lab/client"; const { pid } = await startClient(); console.log(pid); setInterval(() => {}, 1e6);',
		],
		{ stdio: ["ignore", "pipe", "inherit"], cwd: fileURLToPath(new URL(".", import.meta.url)) },
	);
	const [chunk]: unknown[] = await once(parent.stdout, "data");
	const pid = Number(String(chunk));
	parent.kill("SIGKILL");
	const isThere = () => {
		try {
			process.kill(pid, 0);
			return true;
		} catch {
			return false;
		}
	};
	for (let tries = 0; tries < 200 && isThere(); tries++) await new Promise((resolve) => setTimeout(resolve, 25));
	assert.ok(!isThere(), `process ${pid} is still there`);
});

test("pinned to a core where the system can, and a clear error where it cannot", async () => {
	if (spawnSync("taskset", ["--version"]).status !== 0) {
		await assert.rejects(startClient({ pin: 0 }), { code: "CLIENT_DIED", message: /taskset/ });
		return;
	}
	const client = await startClient({ pin: 0 });
	try {
		const { stdout } = spawnSync("taskset", ["-cp", String(client.pid)], { encoding: "utf8" });
		assert.match(stdout, /affinity list: 0\n/);
	} finally {
		await client.stop();
	}
});
