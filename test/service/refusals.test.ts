/** What the service refuses before a handler sees it: counted once, and as its client saw it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { get, post, testModel, until, withService } from "./doubles.js";
import { openSocket, requestText } from "./sockets.js";

/** `POST /predict 200` → how often, of every route and status that was answered. */
async function counted(url: string): Promise<Record<string, number>> {
	const { text } = await get(`${url}/metrics`);
	const lines = text.matchAll(/^http_requests_total\{method="(\w+)",route="(\S+)",status="(\d+)"\} (\d+)$/gm);
	const counts = [...lines].map(([, method, route, status, count]) => [`${method} ${route} ${status}`, Number(count)]);
	return Object.fromEntries(counts.filter(([name]) => !String(name).includes("/metrics")));
}

/** All but the last bytes of a request. */
const half = requestText(1).slice(0, -5);

test("a client that breaks off in the middle of a body is counted once", () =>
	withService("b8w0", {}, async ({ app }, url) => {
		for (let i = 0; i < 5; i++) {
			const { socket } = await openSocket(url);
			socket.write(half);
			await once(app.server, "request"); // a reset takes along what has not been read
			socket.resetAndDestroy();
		}
		await until(async () => (await counted(url))["POST /predict 499"] === 5, "five hang-ups are counted");
		assert.deepEqual(await counted(url), { "POST /predict 499": 5 });
	}));

test("a client that says it has no more to send, in the middle of a body, is answered 400 and counted so", () =>
	withService("b8w0", {}, async (_, url) => {
		const client = await openSocket(url);
		client.socket.end(half);
		await client.closed;
		assert.deepEqual(
			client.replies().map(({ status }) => status),
			[400],
		);
		assert.deepEqual(await counted(url), { "POST /predict 400": 1 });
	}));

test("a client that resets its connection while its row is scored is counted once", async () => {
	const held = testModel();
	await withService("b8w0", held, async (_, url) => {
		held.hold();
		const clients = await Promise.all([1, 2, 3].map(() => openSocket(url)));
		for (const { socket } of clients) socket.write(requestText(1));
		await until(() => held.calls.length > 0, "the model is busy");
		for (const { socket } of clients) socket.resetAndDestroy();
		await until(async () => (await counted(url))["POST /predict 499"] === 3, "three hang-ups are counted");
		held.release();
		assert.deepEqual(await counted(url), { "POST /predict 499": 3 });
	});
});

test("a request that comes too slowly is counted once, as the 408 that it was told", () =>
	withService("b8w0", { requestTimeoutMs: 50 }, async (_, url) => {
		const client = await openSocket(url);
		client.socket.write(half);
		await client.closed;
		assert.deepEqual(
			client.replies().map(({ status }) => status),
			[408],
		);
		assert.deepEqual(await counted(url), { "POST /predict 408": 1 });
	}));

test("a refusal is counted under the route that was asked for, whatever its query", () =>
	withService("b8w0", {}, async (_, url) => {
		const bad = { method: "POST", headers: { "content-type": "application/json" }, body: '{"customerId":"1"}' };
		for (const path of ["/predict?debug=1", "/pred%69ct"]) {
			assert.equal((await fetch(`${url}${path}`, bad)).status, 400);
		}
		assert.equal((await get(`${url}/predict`)).status, 404);
		assert.deepEqual(await counted(url), { "POST /predict 400": 2, "any other 404": 1 });
	}));

test("garbage behind a request that is being scored is not taken for its answer", async () => {
	const held = testModel();
	await withService("b8w0", held, async (_, url) => {
		held.hold();
		const client = await openSocket(url);
		client.socket.write(requestText(1));
		await until(() => held.calls.length > 0, "the model is busy");
		client.socket.write("garbage\r\n\r\n");
		await client.closed;
		held.release();
		assert.equal(client.received(), "");
		assert.equal((await post(url, { customerId: 2 })).status, 200);
	});
});

test("an expectation that nobody knows is passed over", () =>
	withService("b8w0", {}, async (_, url) => {
		const client = await openSocket(url);
		client.socket.write(requestText(1, "expect: tea\r\n"));
		await until(() => client.replies().length === 1, "the reply is there");
		assert.equal(client.replies()[0]?.status, 200);
		assert.deepEqual(await counted(url), { "POST /predict 200": 1 });
		client.socket.destroy();
	}));
