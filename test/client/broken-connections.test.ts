import assert from "node:assert/strict";
import { test } from "node:test";
import { countOutcomes, prepareClient } from "batching-lab/client";
import { answer, DEFAULTS, every, httpServer, measure, prediction, rawServer } from "./servers.js";

test("a server that closes every connection on its first request: each failure counted, then given up", async () => {
	const server = await rawServer((socket) => socket.once("data", () => socket.end()));
	try {
		const { columns, errors } = await measure(server.url, { arrivalsNs: every(1, 400), connections: 4 });
		const { answered, failed, timedOut, unsent } = countOutcomes(columns.outcome);
		assert.equal(answered + timedOut, 0);
		assert.equal(failed, 4 * 6, "a connection breaks once and five times after a rest");
		assert.equal(unsent, 400 - failed);
		assert.equal(errors["other side closed (UND_ERR_SOCKET)"], failed);
		assert.equal(errors["no connection left: every one broke 6 times in a row"], 1);
		assert.equal(server.accepted(), failed, "no connection was opened without a request for it");
	} finally {
		await server.close();
	}
});

test("a server that resets connections: the code of the error is in its message", async () => {
	const server = await rawServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
	try {
		const { columns, errors } = await measure(server.url, { arrivalsNs: every(1, 5), connections: 2 });
		const { failed } = countOutcomes(columns.outcome);
		assert.ok(failed > 0);
		assert.equal(errors["read ECONNRESET"], failed, JSON.stringify(errors));
	} finally {
		await server.close();
	}
});

test("a server that speaks no HTTP", async () => {
	const server = await rawServer((socket) => socket.once("data", () => socket.write("hello, who is there?\r\n\r\n")));
	try {
		const { columns, errors } = await measure(server.url, { arrivalsNs: every(1, 3), connections: 3 });
		assert.equal(countOutcomes(columns.outcome).failed, 3);
		const [message = ""] = Object.keys(errors);
		assert.match(message, /^Response does not match the HTTP\/1\.1 protocol/);
	} finally {
		await server.close();
	}
});

test("a connection that breaks now and then is opened again, and the others never notice", async () => {
	let asked = 0;
	const server = await httpServer((response) => {
		if (++asked % 10 === 0) response.destroy();
		else answer(response, prediction(0.5));
	});
	try {
		const { columns, errors, reopenings } = await measure(server.url, { arrivalsNs: every(2, 60), connections: 4 });
		assert.equal(countOutcomes(columns.outcome).failed, 6);
		assert.equal(countOutcomes(columns.outcome).answered, 54);
		assert.equal(errors["other side closed (UND_ERR_SOCKET)"], 6);
		assert.ok(reopenings >= 1 && reopenings <= 6, `${reopenings}`);
	} finally {
		await server.close();
	}
});

test("a server that closes after every answer costs a new connection each, and nothing fails", async () => {
	const server = await httpServer((response) => {
		response.setHeader("connection", "close");
		answer(response, prediction(0.5));
	});
	try {
		const { columns, reopenings } = await measure(server.url, { arrivalsNs: every(3, 30), connections: 2 });
		assert.equal(countOutcomes(columns.outcome).answered, 30);
		assert.ok(reopenings >= 28, `${reopenings}`);
	} finally {
		await server.close();
	}
});

test("connections that the server closes while they are idle are reopened when they are needed", async () => {
	const server = await rawServer((socket) => {
		socket.on("data", () => {
			const body = prediction(0.5);
			socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
		});
		socket.setTimeout(40, () => socket.end());
	});
	try {
		const arrivalsNs = Float64Array.from([5e6, 6e6, 300e6, 301e6, 302e6, 600e6]);
		const { columns, errors, reopenings } = await measure(server.url, { arrivalsNs, connections: 3 });
		assert.deepEqual(errors, {});
		assert.equal(countOutcomes(columns.outcome).answered, 6);
		assert.ok(reopenings >= 2, `${reopenings}`);
	} finally {
		await server.close();
	}
});

test("nobody listens: one clear error before anything is counted", async () => {
	const server = await httpServer(() => {});
	await server.close();
	await assert.rejects(measure(server.url, { arrivalsNs: every(1, 5) }), {
		code: "CANNOT_CONNECT",
		message: /^no connection to http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED/,
		exitCode: 1,
	});
});

test("a service that goes away in the middle: what was sent failed, the run ends long before its schedule", async () => {
	let asked = 0;
	const server = await httpServer((response) => {
		answer(response, prediction(0.5));
		if (++asked === 20) void server.close();
	});
	const { columns, errors } = await measure(server.url, {
		arrivalsNs: every(1, 5000),
		connections: 4,
		drainMs: 60_000,
	});
	const counts = countOutcomes(columns.outcome);
	assert.ok(counts.answered >= 19 && counts.answered <= 24, `${counts.answered}`);
	assert.ok(counts.failed > 0 && counts.unsent > 1000, JSON.stringify(counts));
	assert.ok(
		Object.keys(errors).some((message) => message.startsWith("connect ECONNREFUSED")),
		JSON.stringify(errors),
	);
});

test("a connection that was given up in the warm-up is there again when it counts", async () => {
	let healthy = false;
	let [atOnce, most] = [0, 0];
	const first = new Set<unknown>();
	const server = await httpServer((response, _, { socket }) => {
		if (first.size === 0) first.add(socket);
		if (!healthy && !first.has(socket)) {
			socket.destroy();
			return;
		}
		most = Math.max(most, ++atOnce);
		setTimeout(() => {
			atOnce--;
			answer(response, prediction(0.5));
		}, 20);
	});
	try {
		const warmupMs = 1500; // a connection is given up after a second of rests
		const all = { arrivalsNs: every(0.001, 10), connections: 2, warmupMs, warmupBurstMs: warmupMs };
		const client = await prepareClient({ ...DEFAULTS, url: server.url, ...all });
		[healthy, most] = [true, 0];
		const { columns } = await client.run();
		client.close();
		assert.equal(countOutcomes(columns.outcome).answered, 10);
		assert.equal(most, 2, "both connections were used");
	} finally {
		await server.close();
	}
});
