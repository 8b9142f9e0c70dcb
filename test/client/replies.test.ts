import assert from "node:assert/strict";
import { test } from "node:test";
import { countOutcomes, differingScores } from "batching-lab/client";
import { answer, every, httpServer, measure, prediction, rawServer } from "./servers.js";

test("scores arrive with all their bits, batch id and batch size beside them", async () => {
	const scores = Float32Array.of(0.1, 1 / 3, 1e-30, 0.999999, 1.4e-45, 1);
	const server = await httpServer((response, body) => {
		const i = Number(body);
		answer(response, prediction(scores[i] ?? 0, i + 1, 1000 + i));
	});
	try {
		const bodies = Array.from(scores, (_, i) => String(i));
		const { columns } = await measure(server.url, { arrivalsNs: every(1, 6), bodies });
		const expectedBits = new Uint32Array(scores.buffer);
		assert.deepEqual(columns.scoreBits, expectedBits);
		assert.deepEqual([...columns.batchSize], [1, 2, 3, 4, 5, 6]);
		assert.deepEqual([...columns.batchId], [1000, 1001, 1002, 1003, 1004, 1005]);
		assert.deepEqual(differingScores(columns, expectedBits), { compared: 6, count: 0, largestUlp: 0, examples: [] });
	} finally {
		await server.close();
	}
});

test("a reply that is no prediction has failed, and its beginning is the message", async () => {
	const replies = [
		"",
		"null",
		"<html>",
		'{"score":"0.5","batchId":0,"batchSize":1}',
		'{"score":0.5}',
		`"${"x".repeat(5000)}"`,
	];
	const server = await httpServer((response, body) => answer(response, replies[Number(body)] ?? prediction(0.5)));
	try {
		const bodies = Array.from({ length: 7 }, (_, i) => String(i));
		const { columns, errors } = await measure(server.url, { arrivalsNs: every(1, 7), bodies });
		assert.deepEqual(countOutcomes(columns.outcome), { answered: 1, failed: 6, timedOut: 0, unsent: 0 });
		assert.equal(errors['the reply is no prediction: "<html>"'], 1);
		assert.equal(errors['the reply is no prediction: ""'], 1);
		assert.equal(Object.keys(errors).length, 6);
	} finally {
		await server.close();
	}
});

test("where replies are not read, any will do", async () => {
	const server = await httpServer((response) => answer(response, "<html>", 201));
	try {
		const { columns } = await measure(server.url, { arrivalsNs: every(1, 5), readReplies: false });
		assert.equal(countOutcomes(columns.outcome).answered, 5);
		assert.ok(columns.status.every((status) => status === 201));
	} finally {
		await server.close();
	}
});

test("a reply in pieces, of known length and in chunks", async () => {
	const body = prediction(0.25, 3, 9);
	const half = body.length >> 1;
	const pieces = [
		[`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, half)}`, body.slice(half)],
		[
			`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${half.toString(16)}\r\n${body.slice(0, half)}\r\n`,
			`${(body.length - half).toString(16)}\r\n${body.slice(half)}\r\n0\r\n\r\n`,
		],
	];
	let asked = 0;
	const server = await rawServer((socket) => {
		socket.on("data", () => {
			const [first = "", second = ""] = pieces[asked++ % 2] ?? [];
			socket.write(first);
			setTimeout(() => socket.write(second), 5);
		});
	});
	try {
		const { columns } = await measure(server.url, { arrivalsNs: every(2, 8), connections: 1 });
		assert.equal(countOutcomes(columns.outcome).answered, 8);
		assert.ok(new Float32Array(columns.scoreBits.buffer).every((score) => score === 0.25));
		assert.ok(columns.batchId.every((id) => id === 9));
	} finally {
		await server.close();
	}
});

test("thousands of different errors are counted, and named up to a bound", async () => {
	const server = await httpServer((response, body) => answer(response, `<p>${body}`));
	try {
		const bodies = Array.from({ length: 120 }, (_, i) => `number ${i}`);
		const { columns, errors } = await measure(server.url, { arrivalsNs: every(0.2, 120), bodies });
		assert.equal(countOutcomes(columns.outcome).failed, 120);
		assert.equal(Object.keys(errors).length, 51);
		assert.equal(
			Object.values(errors).reduce((sum, count) => sum + count, 0),
			120,
		);
		assert.equal(errors["further errors"], 70);
	} finally {
		await server.close();
	}
});
