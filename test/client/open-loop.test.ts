import assert from "node:assert/strict";
import { test } from "node:test";
import { countOutcomes, OUTCOMES, summariseOpenRun } from "batching-lab/client";
import { answer, every, httpServer, measure, prediction } from "./servers.js";

const nowNs = () => Number(process.hrtime.bigint());

test("a server that takes 20 ms by its own clock: no request waits for another one's answer", async () => {
	const own: number[] = [];
	let [atOnce, most] = [0, 0];
	const server = await httpServer((response, body) => {
		const from = nowNs();
		most = Math.max(most, ++atOnce);
		const look = () => {
			if (nowNs() - from < 20e6) return void setTimeout(look, 1);
			own[Number(body)] = nowNs() - from;
			atOnce--;
			answer(response, prediction(0.5));
		};
		setTimeout(look, 20);
	});
	try {
		const arrivalsNs = every(2, 100);
		const bodies = arrivalsNs.length;
		const run = await measure(server.url, {
			arrivalsNs,
			connections: 64,
			bodies: Array.from({ length: bodies }, (_, i) => String(i)),
		});
		const { scheduledNs, sentNs, receivedNs, outcome } = run.columns;
		assert.equal(countOutcomes(outcome).answered, 100);
		assert.deepEqual(scheduledNs, arrivalsNs);
		for (let i = 0; i < 100; i++) {
			const [scheduled = 0, sent = 0, received = 0] = [scheduledNs[i], sentNs[i], receivedNs[i]];
			assert.ok(sent >= scheduled, `request ${i} left before it was due`);
			assert.ok(received - sent >= (own[i] ?? Number.NaN), `request ${i}: less than the server's own time`);
		}
		assert.ok(most > 5, `a request every 2 ms, 20 ms each: about 10 at once, seen ${most}`);
		assert.ok(server.accepted() === 64, "all connections were opened beforehand");
	} finally {
		await server.close();
	}
});

test("a freeze is counted for everyone who came during it, not for one request", async () => {
	let [asked, beganNs, endedNs] = [0, 0, 0];
	const server = await httpServer((response) => {
		if (++asked === 20) {
			beganNs = nowNs();
			while (nowNs() < beganNs + 200e6); // the server's only thread, which the client shares here, stands still
			endedNs = nowNs();
		}
		answer(response, prediction(0.5));
	});
	try {
		const arrivalsNs = every(5, 120);
		const { columns, epochNs } = await measure(server.url, { arrivalsNs, connections: 4 });
		const [fromNs, toNs] = [beganNs - Number(epochNs), endedNs - Number(epochNs)];
		let frozen = 0;
		for (const [i, scheduled] of columns.scheduledNs.entries()) {
			if (scheduled < fromNs || scheduled > toNs) continue;
			frozen++;
			assert.ok((columns.receivedNs[i] ?? 0) >= toNs, `request ${i} was answered during the freeze`);
		}
		assert.ok(frozen >= 39, `a request every 5 ms for 200 ms, found ${frozen}`);
	} finally {
		await server.close();
	}
});

test("requests that find no free connection wait in order, and the wait counts", async () => {
	const order: number[] = [];
	const server = await httpServer((response, body) => {
		order.push(Number(body));
		setTimeout(() => answer(response, prediction(0.5)), 20);
	});
	try {
		const arrivalsNs = every(1, 40);
		const bodies = Array.from({ length: 40 }, (_, i) => String(i));
		const run = await measure(server.url, { arrivalsNs, connections: 2, bodies });
		const { sentNs } = run.columns;
		assert.ok(
			sentNs.every((at, i) => i === 0 || at >= (sentNs[i - 1] ?? 0)),
			"first come, first sent",
		);
		assert.equal(order.length, 40);
		const summary = summariseOpenRun({ ...run, arrivalMs: 40, connections: 2 });
		assert.equal(summary.answered, 40);
		assert.ok(summary.waitedForConnection >= 30, `${summary.waitedForConnection}`);
		const last = run.columns.receivedNs.at(-1) ?? 0;
		assert.ok(last - (arrivalsNs.at(-1) ?? 0) >= 18 * 20e6, "20 rounds of 20 ms for requests that came within 40 ms");
	} finally {
		await server.close();
	}
});

test("a server that never answers: timed out after the bound, the rest unsent, with a message", async () => {
	const server = await httpServer(() => {});
	try {
		const { columns, errors } = await measure(server.url, { arrivalsNs: every(1, 10), connections: 3, drainMs: 400 });
		assert.deepEqual(countOutcomes(columns.outcome), { answered: 0, failed: 0, timedOut: 3, unsent: 7 });
		assert.deepEqual(errors, { "no answer within 400 ms after the last arrival": 3 });
		assert.deepEqual(
			[...columns.outcome].map((kind) => OUTCOMES[kind]),
			[...Array(3).fill("timedOut"), ...Array(7).fill("unsent")],
		);
	} finally {
		await server.close();
	}
});

test("a refusal is a reply and no answer: counted by its status", async () => {
	let asked = 0;
	const server = await httpServer((response) => {
		if (++asked % 4 === 0) answer(response, '{"error":"QUEUE_FULL"}', 503);
		else answer(response, prediction(0.5));
	});
	try {
		const run = await measure(server.url, { arrivalsNs: every(1, 40) });
		assert.deepEqual(run.errors, { "HTTP 503": 10 });
		const summary = summariseOpenRun({ ...run, arrivalMs: 40, connections: 8 });
		assert.deepEqual(summary.statusCounts, { "200": 30, "503": 10 });
		assert.equal(summary.answered, 30);
		assert.equal(summary.failed, 10);
	} finally {
		await server.close();
	}
});

test("both pacings send everything, none before it is due", async () => {
	const server = await httpServer((response) => answer(response, prediction(0.5)));
	try {
		for (const pacing of ["timer", "precise"] as const) {
			const { columns } = await measure(server.url, { arrivalsNs: every(3, 50), pacing });
			assert.equal(countOutcomes(columns.outcome).answered, 50);
			assert.ok(
				columns.sentNs.every((at, i) => at >= (columns.scheduledNs[i] ?? 0)),
				pacing,
			);
		}
	} finally {
		await server.close();
	}
});

test("a schedule without arrivals ends at once", async () => {
	const server = await httpServer((response) => answer(response, prediction(0.5)));
	try {
		const { columns } = await measure(server.url, { arrivalsNs: new Float64Array(0) });
		assert.equal(columns.outcome.length, 0);
	} finally {
		await server.close();
	}
});
