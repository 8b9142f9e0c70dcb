import assert from "node:assert/strict";
import { test } from "node:test";
import { countOutcomes, summariseClosedRun } from "batching-lab/client";
import { answer, httpServer, measure, prediction, rawServer } from "./servers.js";

const closed = { mode: "closed", countMs: 150 } as const;

test("each connection has one request on the way, never two, and a new one as soon as it is answered", async () => {
	let [atOnce, most] = [0, 0];
	const server = await httpServer((response) => {
		most = Math.max(most, ++atOnce);
		setTimeout(() => {
			atOnce--;
			answer(response, prediction(0.5));
		}, 5);
	});
	try {
		const run = await measure(server.url, { ...closed, connections: 6 });
		assert.ok(most <= 6, `${most} at once`);
		assert.equal(server.accepted(), 6);
		const { scheduledNs, sentNs, receivedNs, outcome } = run.columns;
		assert.equal(countOutcomes(outcome).answered, outcome.length);
		assert.equal(outcome.length, 6 + receivedNs.filter((at) => at < 150e6).length, "an answer brings a request");
		assert.ok(
			scheduledNs.every((at, i) => at <= (sentNs[i] ?? 0) && at < 150e6),
			"nothing is sent after the end",
		);
		const { answersPerSecond, sent, answered } = summariseClosedRun(run.columns, { countMs: 150, cpuUs: run.cpuUs });
		assert.equal(sent, answered);
		assert.equal(answersPerSecond, (receivedNs.filter((at) => at <= 150e6).length / 150) * 1000);
	} finally {
		await server.close();
	}
});

test("the warm-up is not counted and takes no part in the bodies' order", async () => {
	const asked: string[] = [];
	const server = await httpServer((response, body) => {
		asked.push(body);
		setTimeout(() => answer(response, prediction(0.5)), 2);
	});
	try {
		const bodies = ["a", "b", "c"];
		const { columns } = await measure(server.url, { ...closed, connections: 1, warmupMs: 60, bodies, offset: 1 });
		const counted = columns.outcome.length;
		assert.ok(asked.length > counted);
		assert.deepEqual([...columns.bodyIndex.slice(0, 4)], [1, 2, 0, 1]);
		assert.deepEqual(
			asked.slice(-counted),
			Array.from(columns.bodyIndex, (index) => bodies[index]),
		);
	} finally {
		await server.close();
	}
});

test("a warm-up without a single answer ends it, with the reason", async () => {
	const server = await httpServer((response) => answer(response, "{}", 500));
	try {
		await assert.rejects(measure(server.url, { ...closed, warmupMs: 50 }), {
			code: "NO_ANSWER",
			message: /^none of the \d+ requests of the warm-up was answered: HTTP 500 \(\d+×\)$/,
		});
	} finally {
		await server.close();
	}
});

test("stuck requests are given up after the bound", async () => {
	let asked = 0;
	const server = await httpServer((response) => {
		if (++asked > 5) return;
		answer(response, prediction(0.5));
	});
	try {
		const { columns, errors } = await measure(server.url, { ...closed, connections: 2, drainMs: 400 });
		assert.deepEqual(countOutcomes(columns.outcome), { answered: 5, failed: 0, timedOut: 2, unsent: 0 });
		assert.deepEqual(errors, { "no answer within 400 ms after the last arrival": 2 });
	} finally {
		await server.close();
	}
});

test("broken connections do not make it spin", async () => {
	const server = await rawServer((socket) => socket.once("data", () => socket.destroy()));
	try {
		const { columns, errors } = await measure(server.url, { ...closed, countMs: 5000, connections: 3 });
		assert.equal(columns.outcome.length, 3 * 6);
		assert.equal(countOutcomes(columns.outcome).failed, 3 * 6);
		assert.equal(errors["no connection left: every one broke 6 times in a row"], 1);
	} finally {
		await server.close();
	}
});
