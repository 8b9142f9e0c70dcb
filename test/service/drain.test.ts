import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type ServiceConfig, type ServiceProcess, startService } from "batching-lab/service";
import { get, post, scoreOf, testModel, until, withService } from "./doubles.js";
import { openSocket, type RawClient, requestText } from "./sockets.js";

const entry = fileURLToPath(new URL("./child.js", import.meta.url));
const start = (config: Partial<ServiceConfig>): Promise<ServiceProcess> =>
	startService({ dataDir: "", model: "slow", setting: "b32w0", port: 0, stamps: false, ...config }, { entry });

async function openMany(url: string, count: number): Promise<RawClient[]> {
	const clients: RawClient[] = [];
	// The kernel queues some hundred connections that nobody has accepted yet; more at once would wait for a second.
	while (clients.length < count)
		clients.push(
			...(await Promise.all(Array.from({ length: Math.min(250, count - clients.length) }, () => openSocket(url)))),
		);
	return clients;
}

const idOf = (index: number): number => 1 + (index % 9999);

async function openConnections(url: string): Promise<number> {
	const { text } = await get(`${url}/metrics`);
	return Number(/^http_open_connections (\d+)$/m.exec(text)?.[1]);
}

test("5,000 requests in flight on as many sockets while SIGTERM arrives: every one gets its own score, exit 0", async () => {
	const service = await start({ maxQueue: 10_000 });
	const url = `http://127.0.0.1:${service.port}`;
	const clients = await openMany(url, 5000);
	// A connection that waits in the kernel's full queue is nothing that a process can know of.
	while ((await openConnections(url)) < 5000) await new Promise((resolve) => setTimeout(resolve, 5));
	for (const [index, { socket }] of clients.entries()) socket.write(requestText(idOf(index)));
	process.kill(service.pid, "SIGTERM");
	assert.equal(await service.exited, 0);
	await Promise.all(clients.map(({ closed }) => closed));
	const lost = clients.filter(
		(client, index) =>
			!client.replies().some(({ status, body }) => status === 200 && body.includes(`"score":${scoreOf(idOf(index))},`)),
	);
	assert.equal(lost.length, 0);
});

test("5,000 pipelined requests on 250 sockets while SIGTERM arrives: all are answered, in order", async () => {
	const service = await start({ maxQueue: 10_000 });
	const clients = await openMany(`http://127.0.0.1:${service.port}`, 250);
	for (const [index, { socket }] of clients.entries())
		socket.write(Array.from({ length: 20 }, (_, place) => requestText(idOf(20 * index + place))).join(""));
	process.kill(service.pid, "SIGTERM");
	assert.equal(await service.exited, 0);
	await Promise.all(clients.map(({ closed }) => closed));
	for (const [index, client] of clients.entries()) {
		assert.deepEqual(
			client.replies().map(({ body }) => JSON.parse(body).customerId),
			Array.from({ length: 20 }, (_, place) => idOf(20 * index + place)),
		);
	}
});

test("rows that would wait a minute for company leave at once", () =>
	withService("b32w60000", {}, async (service, url) => {
		const client = await openSocket(url);
		client.socket.write(requestText(3));
		await until(() => service.health().queue_depth === 1, "the row waits");
		assert.equal(await service.stop(), true);
		await client.closed;
		assert.equal(client.replies()[0]?.status, 200);
		assert.equal(service.batcherStats()?.reasons.drain, 1);
	}));

test("silent sockets and half a request do not hold the exit up; nobody new is let in", async () => {
	const service = await start({ model: "fast" });
	const url = `http://127.0.0.1:${service.port}`;
	const [silent, half, used] = await openMany(url, 3);
	assert.ok(silent !== undefined && half !== undefined && used !== undefined);
	half.socket.write(requestText(1).slice(0, -4));
	used.socket.write(requestText(2));
	await until(() => used.replies().length === 1, "the first answer");
	process.kill(service.pid, "SIGTERM");
	process.kill(service.pid, "SIGINT");
	assert.equal(await service.exited, 0);
	await Promise.all([silent.closed, half.closed, used.closed]);
	await assert.rejects(openSocket(url), { code: "ECONNREFUSED" });
});

test("what arrives on an open socket while draining is answered, and the client asked to close", async () => {
	const held = testModel();
	await withService("b8w0", { ...held, maxInFlight: 1 }, async (service, url) => {
		held.hold();
		const first = await openSocket(url);
		const second = await openSocket(url);
		first.socket.write(requestText(1));
		await until(() => held.calls.length === 1, "the first call");
		const stopped = service.stop();
		await until(() => service.health().draining, "draining");
		second.socket.write(`GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n${requestText(2)}`);
		await until(() => second.replies().length === 1, "the health");
		assert.deepEqual(second.replies()[0], {
			status: 503,
			body: '{"ready":false,"draining":true,"healthy":true,"queue_depth":0}',
		});
		await until(() => service.health().queue_depth === 1, "the second row waits");
		held.release();
		assert.equal(await stopped, true);
		await Promise.all([first.closed, second.closed]);
		assert.equal(first.replies()[0]?.status, 200);
		assert.equal(second.replies()[1]?.status, 200);
		assert.match(second.received(), /connection: close/i);
	});
});

test("a model that never answers is not waited for beyond drainMs, and stop says so", async () => {
	const held = testModel();
	await withService("b8w0", { ...held, drainMs: 200 }, async (service, url) => {
		held.hold();
		const lost = post(url, { customerId: 1 });
		lost.catch(() => {});
		await until(() => held.calls.length === 1, "the call");
		assert.equal(await service.stop(), false);
		await assert.rejects(lost);
		held.release();
	});
});
