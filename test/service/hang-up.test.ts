import assert from "node:assert/strict";
import { test } from "node:test";
import { get, post, testModel, until, withService } from "./doubles.js";
import { openSocket, requestText } from "./sockets.js";

test("a client that hangs up while its row waits frees the row: it is never scored, and counted as 499", async () => {
	const held = testModel();
	await withService("b8w0", { ...held, maxInFlight: 1 }, async (service, url) => {
		held.hold();
		const first = post(url, { customerId: 1 });
		await until(() => held.calls.length === 1, "the first call");
		const gone = await openSocket(url);
		gone.socket.write(requestText(2));
		const stays = post(url, { customerId: 3 });
		await until(() => service.health().queue_depth === 2, "two rows wait");
		gone.socket.destroy();
		await until(() => service.health().queue_depth === 1, "the row is freed");
		held.release();
		assert.equal((await first).status, 200);
		assert.equal((await stays).status, 200);
		assert.deepEqual(held.calls, [1, 1]);
		const { text } = await get(`${url}/metrics`);
		assert.match(text, /^http_requests_total\{method="POST",route="\/predict",status="499"\} 1$/m);
		assert.match(text, /^inference_rows_dropped_total\{reason="hung_up"\} 1$/m);
		assert.match(text, /^inference_errors_total 0$/m);
	});
});

test("a client that hangs up in the middle of a batch costs nobody else an answer", async () => {
	const held = testModel();
	await withService("b8w0", { ...held, maxInFlight: 1 }, async (service, url) => {
		held.hold();
		const blocker = post(url, { customerId: 1 });
		await until(() => held.calls.length === 1, "the first call");
		const gone = await openSocket(url);
		gone.socket.write(requestText(2));
		const others = [3, 4, 5].map((customerId) => post(url, { customerId }));
		await until(() => service.health().queue_depth === 4, "four rows wait");
		held.release();
		held.hold();
		await until(() => held.calls.length === 2, "the batch is in the model");
		gone.socket.destroy();
		await until(() => service.batcherStats()?.aborted === 1, "the hang-up is seen");
		held.release();
		assert.equal((await blocker).status, 200);
		for (const { status } of await Promise.all(others)) assert.equal(status, 200);
		assert.deepEqual(held.calls, [1, 4]);
	});
});

test("all rows of a list are freed when its client hangs up, and so is every pipelined request", async () => {
	const held = testModel();
	await withService("b4w0", { ...held, maxInFlight: 1 }, async (service, url) => {
		held.hold();
		const first = post(url, { customerId: 1 });
		await until(() => held.calls.length === 1, "the first call");
		const body = JSON.stringify({ customers: [2, 3, 4, 5, 6].map((customerId) => ({ customerId })) });
		const gone = await openSocket(url);
		gone.socket.write(requestText(7) + requestText(8));
		gone.socket.write(
			`POST /predict HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
		);
		await until(() => service.health().queue_depth === 7, "seven rows wait");
		gone.socket.destroy();
		await until(() => service.health().queue_depth === 0, "all are freed");
		held.release();
		assert.equal((await first).status, 200);
		assert.equal(service.answered, 4);
	});
});

test("none: an answer for a client that is gone is dropped, and the service goes on", async () => {
	const held = testModel();
	await withService("none", held, async (service, url) => {
		held.hold();
		const gone = await openSocket(url);
		gone.socket.write(requestText(2));
		await until(() => held.calls.length === 1, "the call");
		gone.socket.destroy();
		await until(() => service.answered === 1, "the hang-up is counted");
		held.release();
		assert.equal((await post(url, { customerId: 3 })).status, 200);
		assert.equal(service.answered, 2);
	});
});
