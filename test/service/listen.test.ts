import assert from "node:assert/strict";
import { test } from "node:test";
import { createService, parseSetting } from "batching-lab/service";
import { store, testModel, until } from "./doubles.js";

const setting = parseSetting("b8w0");

test("a service that is stopped while it warms up never listens", async () => {
	const held = testModel();
	held.hold();
	const service = createService({ model: held.model, store, setting });
	const listening = service.listen();
	await until(() => held.calls.length > 0, "the warm-up has begun");
	assert.equal(await service.stop(), true);
	held.release();
	await assert.rejects(listening, { code: "STOPPED", exitCode: 1 });
	assert.equal(service.app.server.listening, false);
});

test("a service that is stopped while its port is being opened closes it again", async () => {
	const { model, calls } = testModel();
	const service = createService({ model, store, setting });
	const listening = service.listen();
	await until(() => calls.length >= 12, "the warm-up is over");
	assert.equal(await service.stop(), true);
	await listening.catch(() => {});
	assert.equal(service.app.server.listening, false);
});

test("a service that never listened can be stopped, and stopped again", async () => {
	const service = createService({ model: testModel().model, store, setting });
	assert.deepEqual([await service.stop(), await service.stop()], [true, true]);
	await assert.rejects(service.listen(), { code: "STOPPED" });
});
