import assert from "node:assert/strict";
import { test } from "node:test";
import { get, post, testModel, until, withService } from "./doubles.js";
import { openSocket, requestText } from "./sockets.js";

test("clients that send a byte now and then are told 408 and closed; others do not notice", () =>
	withService("b8w0", { requestTimeoutMs: 1000 }, async (service, url) => {
		const slow = await Promise.all(Array.from({ length: 50 }, () => openSocket(url)));
		const text = requestText(1);
		let sent = 0;
		const drip = setInterval(() => {
			const byte = text[sent++];
			if (byte !== undefined) for (const { socket } of slow) if (socket.writable) socket.write(byte);
		}, 100);
		const fast = await Promise.all(Array.from({ length: 20 }, (_, index) => post(url, { customerId: 1 + index })));
		for (const { status } of fast) assert.equal(status, 200);
		await Promise.all(slow.map(({ closed }) => closed));
		clearInterval(drip);
		for (const client of slow) {
			const [reply] = client.replies();
			assert.equal(reply?.status, 408);
			assert.match(reply?.body ?? "", /^\{"error":\{"code":"REQUEST_TIMEOUT"/);
		}
		assert.equal(service.answered, 20);
		assert.match(
			(await get(`${url}/metrics`)).text,
			/http_requests_total\{method="any",route="other",status="408"\} 50/,
		);
	}));

test("a body that stops half way is closed too", () =>
	withService("b8w0", { requestTimeoutMs: 1000 }, async (_, url) => {
		const client = await openSocket(url);
		client.socket.write(requestText(1).slice(0, -3));
		await client.closed;
		assert.equal(client.replies()[0]?.status, 408);
	}));

test("sockets that never say a word are closed, and one that has spoken may be silent for longer", () =>
	withService("b8w0", { requestTimeoutMs: 1000 }, async (_, url) => {
		const spoken = await openSocket(url);
		spoken.socket.write(requestText(1));
		const silent = await Promise.all(Array.from({ length: 50 }, () => openSocket(url)));
		await Promise.all(silent.map(({ closed }) => closed));
		await new Promise((resolve) => setTimeout(resolve, 1200));
		spoken.socket.write(requestText(2));
		await until(() => spoken.replies().length === 2, "the second answer");
		assert.deepEqual(
			spoken.replies().map(({ status }) => status),
			[200, 200],
		);
		spoken.socket.destroy();
	}));

test("a client that closes its sending side has hung up, as Node's server sees it: its row is freed", async () => {
	const held = testModel();
	await withService("b8w0", { ...held, maxInFlight: 1 }, async (service, url) => {
		held.hold();
		const first = post(url, { customerId: 1 });
		await until(() => held.calls.length === 1, "the first call");
		const client = await openSocket(url);
		client.socket.end(requestText(5));
		await client.closed;
		await until(() => service.batcherStats()?.aborted === 1, "the row is freed");
		held.release();
		assert.equal((await first).status, 200);
		assert.deepEqual(held.calls, [1]);
	});
});

test("what is not HTTP is told so in one coded line", () =>
	withService("none", {}, async (_, url) => {
		for (const [bytes, status, code] of [
			["\u0016\u0003\u0001 hello\r\n\r\n", 400, "BAD_HTTP"],
			[`GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(40_000)}\r\n\r\n`, 431, "HEADERS_TOO_LARGE"],
			[requestText(1, "transfer-encoding: chunked\r\n"), 400, "BAD_HTTP"],
		] as const) {
			const client = await openSocket(url);
			client.socket.write(bytes);
			await client.closed;
			const [reply] = client.replies();
			assert.equal(reply?.status, status);
			assert.match(reply?.body ?? "", new RegExp(`"${code}"`));
		}
	}));
