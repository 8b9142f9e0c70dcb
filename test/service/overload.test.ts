import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { get, post, testModel, until, withService } from "./doubles.js";
import { openSocket, requestText } from "./sockets.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

test("a full queue answers 503 with Retry-After at once, while the rows that wait keep their places", async () => {
	const held = testModel();
	await withService("b4w0", { ...held, maxInFlight: 1, maxQueue: 8 }, async (service, url) => {
		held.hold();
		const first = post(url, { customerId: 1 });
		await until(() => held.calls.length === 1, "the first call");
		const waiting = Array.from({ length: 8 }, (_, index) => post(url, { customerId: 2 + index }));
		await until(() => service.health().queue_depth === 8, "a full queue");
		for (let turn = 0; turn < 20; turn++) {
			const refused = await post(url, { customerId: 99 });
			assert.equal(refused.status, 503);
			assert.equal(refused.headers.get("retry-after"), "1");
			assert.match(refused.text, /"QUEUE_FULL"/);
		}
		const list = await post(url, { customers: [{ customerId: 1 }, { customerId: 2 }] });
		assert.equal(list.status, 503);
		assert.match((await get(`${url}/metrics`)).text, /^inference_rows_rejected_total\{reason="queue_full"\} 22$/m);
		held.release();
		for (const { status } of await Promise.all([first, ...waiting])) assert.equal(status, 200);
		assert.equal((await post(url, { customerId: 99 })).status, 200);
	});
});

test("a row past the queue's deadline is 504 and never scored", async () => {
	const held = testModel();
	await withService("b1w0", { ...held, maxInFlight: 1, queueDeadlineMs: 300 }, async (_, url) => {
		held.hold();
		const first = post(url, { customerId: 1 });
		await until(() => held.calls.length === 1, "the first call");
		const late = await post(url, { customerId: 2 });
		assert.equal(late.status, 504);
		assert.match(late.text, /"QUEUE_DEADLINE"/);
		held.release();
		assert.equal((await first).status, 200);
		assert.deepEqual(held.calls, [1]);
	});
});

test("20,000 requests against a full queue leave no memory behind", async () => {
	const held = testModel();
	await withService("b4w0", { ...held, maxInFlight: 1, maxQueue: 64 }, async (service, url) => {
		held.hold();
		const filler = await openSocket(url);
		filler.socket.write(requestText(1).repeat(4));
		await until(() => held.calls.length === 1, "the first call");
		filler.socket.write(requestText(1).repeat(64));
		await until(() => service.health().queue_depth === 64, "a full queue");
		const flood = connect({ port: Number(new URL(url).port), host: "127.0.0.1" }).resume();
		const heapAfter = async (requests: number) => {
			const before = service.answered;
			// 100 at a time: a client that never reads its answers is another matter.
			for (let sent = 0; sent < requests; sent += 100) {
				flood.write(requestText(2).repeat(100));
				await until(() => service.answered >= before + sent + 100, "100 refusals");
			}
			collectGarbage();
			return process.memoryUsage().heapUsed;
		};
		await heapAfter(2000);
		const before = await heapAfter(2000);
		const after = await heapAfter(16_000);
		assert.equal(service.health().queue_depth, 64);
		assert.ok(after - before < 1e6, `${after - before} bytes more after 16,000 refusals`);
		held.release();
		await until(() => filler.replies().length === 68, "the rows that waited");
		flood.destroy();
		filler.socket.destroy();
	});
});
