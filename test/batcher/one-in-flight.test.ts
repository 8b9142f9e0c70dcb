import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { MicroBatcher } from "batching-lab/batcher";
import { rig, watch } from "./harness.js";

test("one model call at a time, unless maxInFlight says otherwise", async () => {
	for (const maxInFlight of [1, 3]) {
		let inFlight = 0;
		let most = 0;
		const batcher = new MicroBatcher<number, number>(
			async (rows) => {
				inFlight++;
				most = Math.max(most, inFlight);
				await turn();
				inFlight--;
				return rows;
			},
			{ maxBatchSize: 2, maxInFlight },
		);
		await Promise.all(Array.from({ length: 20 }, (_, row) => batcher.submit(row)));
		assert.equal(most, maxInFlight);
	}
});

test("all batches formed in one turn start together when there is room for them", async () => {
	const { clock, batcher, calls } = rig({ maxBatchSize: 2, maxInFlight: 8, modelMs: 5 });
	for (const row of [1, 2, 3, 4, 5]) watch(batcher.submit(row), clock);
	await clock.advance(10);
	assert.deepEqual(calls, [
		{ atMs: 0, rows: [1, 2] },
		{ atMs: 0, rows: [3, 4] },
		{ atMs: 0, rows: [5] },
	]);
});

test("a row never leaves in its caller's stack or from a microtask", async () => {
	let called = false;
	const batcher = new MicroBatcher<number, number>(
		(rows) => {
			called = true;
			return rows;
		},
		{ maxBatchSize: 1 },
	);
	const score = batcher.submit(1);
	assert.equal(called, false);
	for (let i = 0; i < 50; i++) await null;
	await new Promise<void>((resolve) => process.nextTick(resolve));
	assert.equal(called, false);
	assert.equal(await score, 1);
});

for (const maxInFlight of [1, 4]) {
	test(`no two model calls that hold the loop share a turn, second tries included (maxInFlight ${maxInFlight})`, async () => {
		let turns = 0;
		const calledIn: number[] = [];
		const batcher = new MicroBatcher<number, number>(
			(rows) => {
				calledIn.push(turns);
				if (rows.length > 1 && rows.includes(5)) throw new Error("poison");
				return rows;
			},
			{ maxBatchSize: 3, maxInFlight, isolate: true },
		);
		let open = true;
		const count = (): void => {
			turns++;
			if (open) setImmediate(count);
		};
		setImmediate(count);
		const scores = await Promise.all(Array.from({ length: 30 }, (_, row) => batcher.submit(row)));
		open = false;
		assert.equal(scores.length, 30);
		// Ten batches, and the three rows of the poisoned one again.
		assert.equal(calledIn.length, 13);
		assert.equal(new Set(calledIn).size, 13, `calls in turns ${calledIn.join()}`);
	});
}

/** Opens `count` sockets to a server that submits one row for each byte it reads; returns the sizes of its batches. */
async function batchesOfSockets(count: number): Promise<readonly number[]> {
	const sizes: number[] = [];
	const batcher = new MicroBatcher<number, number>((rows) => {
		sizes.push(rows.length);
		return rows;
	});
	const server = createServer((socket) => {
		socket.on("data", async (bytes) => {
			socket.write(Buffer.from(await batcher.submitMany([...bytes])));
		});
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	assert.ok(address !== null && typeof address === "object");
	const clients: Socket[] = [];
	for (let i = 0; i < count; i++) {
		const client = connect(address.port, "127.0.0.1");
		await once(client, "connect");
		clients.push(client);
	}
	await turn();
	// All bytes are in the kernel before the server's side of the loop reads the first one.
	for (const client of clients) client.write(Buffer.of(1));
	await Promise.all(clients.map((client) => once(client, "data")));
	for (const client of clients) client.destroy();
	server.close();
	return sizes;
}

test("requests that are readable on different sockets share a batch", async () => {
	const sizes = await batchesOfSockets(12);
	assert.equal(
		sizes.reduce((sum, size) => sum + size, 0),
		12,
	);
	assert.ok(Math.max(...sizes) > 1, `batches of ${sizes.join()}`);
});

test("between two model calls the loop reads its sockets, even under a flood of rows", async () => {
	const server = createServer((socket) => socket.end("hello"));
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	assert.ok(address !== null && typeof address === "object");
	let calls = 0;
	let stopped = false;
	const batcher = new MicroBatcher<number, number>(
		(rows) => {
			calls++;
			return rows;
		},
		{ maxBatchSize: 1 },
	);
	// Each answer asks again at once, from a microtask: the queue is never empty.
	const flood = async (): Promise<void> => {
		while (!stopped) await batcher.submit(1);
	};
	const floods = [flood(), flood()];
	const client = connect(address.port, "127.0.0.1");
	const [greeting] = await once(client, "data");
	stopped = true;
	await Promise.all(floods);
	server.close();
	assert.equal(String(greeting), "hello");
	assert.ok(calls > 2);
});
