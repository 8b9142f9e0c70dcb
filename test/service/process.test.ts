import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { FLUSH_REASONS } from "batching-lab/batcher";
import { type ServiceConfig, startService } from "batching-lab/service";
import { post, until } from "./doubles.js";

const entry = fileURLToPath(new URL("./child.js", import.meta.url));
const config = (changes: Partial<ServiceConfig> = {}): ServiceConfig => ({
	dataDir: "",
	model: "fast",
	setting: "b8w0",
	port: 0,
	stamps: false,
	...changes,
});

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

test("counts from `count` on, and reports its batches and its CPU", async () => {
	const service = await startService(config({ setting: "b8w1", stamps: true }), { entry });
	const url = `http://127.0.0.1:${service.port}`;
	await post(url, { customerId: 1 });
	service.count();
	await post(url, { customers: Array.from({ length: 19 }, (_, index) => ({ customerId: 1 + index })) });
	await post(url, { customerId: 20_000 });
	const { answered, cpuUs, rssBytes, batches, stamps } = await service.report();
	assert.equal(answered, 2);
	assert.ok(cpuUs > 0 && rssBytes > 1e7);
	assert.deepEqual([...batches.batchId], [2, 3, 4]);
	assert.deepEqual([...batches.size], [8, 8, 3]);
	assert.deepEqual(
		[...batches.reason].map((reason) => FLUSH_REASONS[reason]),
		["full", "full", "timer"],
	);
	assert.equal(new Set(batches.firstSubmitNs).size, 1);
	assert.ok(batches.modelNs.every((ns) => ns > 0));
	assert.ok((batches.waitNs[2] ?? 0) >= 1e6);
	assert.ok(stamps !== undefined && stamps.handlerStartNs.length === 1);
	const { handlerStartNs, rowReadyNs, scoreBackNs, replyWrittenNs } = stamps;
	const moments = [handlerStartNs, rowReadyNs, batches.firstSubmitNs, scoreBackNs, replyWrittenNs].map(
		([ns]) => ns ?? 0n,
	);
	assert.deepEqual(
		moments,
		[...moments].sort((one, other) => (one < other ? -1 : 1)),
	);
	// One clock for all processes of the machine.
	const agoNs = process.hrtime.bigint() - (replyWrittenNs[0] ?? 0n);
	assert.ok(agoNs > 0n && agoNs < 10_000_000_000n);
	await service.stop();
	assert.equal(await service.exited, 0);
});

test("what goes wrong at the start is the error of startService, in the words of the process", async () => {
	await assert.rejects(startService(config({ model: "missing" }), { entry }), { message: "no such model" });
	await assert.rejects(startService(config({ setting: "b1w5" }), { entry }), { code: "WAIT_WITHOUT_BATCH" });
	await assert.rejects(startService(config({ maxQueue: 2 }), { entry }), { code: "BAD_OPTION" });
	await assert.rejects(startService(config({ model: "crash" }), { entry }), {
		code: "SERVICE_DIED",
		message: /ended \(SIGABRT\) while "ready" was expected; it said:\nthe last words/,
	});
	await assert.rejects(startService(config({ model: "silent" }), { entry, startMs: 1000 }), {
		message: /said nothing for 1000 ms while "ready" was expected/,
	});
	await assert.rejects(startService(config(), { entry, pin: 999 }), { code: "SERVICE_DIED", message: /taskset/ });
});

test("a process that is killed is loud in whatever is asked of it next", async () => {
	const service = await startService(config(), { entry });
	process.kill(service.pid, "SIGKILL");
	await assert.rejects(service.report(), { code: "SERVICE_DIED", message: /ended \(SIGKILL\) while "counted"/ });
	assert.equal(await service.exited, "SIGKILL");
	await assert.rejects(service.stop(), { message: /did not stop well \(SIGKILL\)/ });
});

test("aborting ends the process", async () => {
	const abort = new AbortController();
	const service = await startService(config(), { entry, signal: abort.signal });
	const report = service.report();
	abort.abort(new Error("enough"));
	await assert.rejects(report, { message: "enough" });
	await service.exited;
	assert.ok(!isAlive(service.pid));
	await assert.rejects(startService(config(), { entry, signal: abort.signal }), { message: "enough" });
});

test("a service does not outlive the process that started it", async () => {
	const script = `
		import { startService } from "batching-lab/service";
		const { pid } = await startService(${JSON.stringify(config())}, { entry: ${JSON.stringify(entry)} });
		console.log(pid);
	`;
	const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
		cwd: fileURLToPath(new URL(".", import.meta.url)),
		stdio: ["ignore", "pipe", "inherit"],
	});
	const [line] = await once(parent.stdout, "data");
	const pid = Number(String(line));
	assert.ok(isAlive(pid));
	parent.kill("SIGKILL");
	await until(() => !isAlive(pid), "the orphan's end");
});
