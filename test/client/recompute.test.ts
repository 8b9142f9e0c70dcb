import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeOpenRun, poissonArrivals } from "batching-lab/client";
import { answer, httpServer, measure, prediction } from "./servers.js";

test("every figure of a run, computed a second time from its raw stamps by other code", async () => {
	let asked = 0;
	const server = await httpServer((response) => {
		const turn = ++asked;
		if (turn % 50 === 0) return answer(response, "{}", 503);
		setTimeout(() => answer(response, prediction(0.5)), turn % 7);
	});
	try {
		const arrivalsNs = poissonArrivals({ ratePerSecond: 600, seconds: 0.8, seed: 11 }).map(Math.round);
		const connections = 6;
		const run = await measure(server.url, { arrivalsNs, connections });
		const judged = judgeOpenRun({ ...run, arrivalMs: 800, connections }, { topology: "separate", lostShare: 0.5 });

		const { scheduledNs, sentNs, receivedNs, status, outcome } = run.columns;
		const rows = Array.from(scheduledNs, (scheduled, i) => ({
			scheduled,
			sent: sentNs[i] ?? Number.NaN,
			received: receivedNs[i] ?? Number.NaN,
			answered: outcome[i] === 0,
			status: status[i],
		}));
		const good = rows.filter((row) => row.answered);
		/** The smallest sample with at least `share` of all at or below it. */
		const quantile = (samples: readonly number[], share: number) =>
			samples.find(
				(sample) =>
					samples.filter((other) => other <= sample).length >= share * samples.length - 1e-9 &&
					samples.every(
						(other) =>
							other >= sample || samples.filter((third) => third <= other).length < share * samples.length - 1e-9,
					),
			);
		const latencies = good.map((row) => row.received - row.scheduled);
		const services = good.map((row) => row.received - row.sent);
		const lateness = rows.filter((row) => !Number.isNaN(row.sent)).map((row) => row.sent - row.scheduled);
		assert.ok(good.length > 368, `${good.length} answers are enough for a p99`);
		assert.equal(judged.latencyMs.p50, (quantile(latencies, 0.5) ?? 0) / 1e6);
		assert.equal(judged.latencyMs.p90, (quantile(latencies, 0.9) ?? 0) / 1e6);
		assert.equal(judged.latencyMs.p99, (quantile(latencies, 0.99) ?? 0) / 1e6);
		assert.equal(judged.latencyMs.max, Math.max(...latencies) / 1e6);
		assert.equal(judged.serviceTimeMs.p95, (quantile(services, 0.95) ?? 0) / 1e6);
		assert.equal(judged.latenessMs.p50, (quantile(lateness, 0.5) ?? 0) / 1e6);
		assert.equal(judged.answered, good.length);
		assert.equal(judged.failed, rows.filter((row) => row.status === 503).length);
		const endNs = Math.max(800e6, ...good.map((row) => row.received));
		assert.equal(judged.offeredPerSecond, (rows.length / 800e6) * 1e9);
		assert.equal(judged.answeredPerSecond, (good.length / endNs) * 1e9);
		assert.equal(judged.cpuUsPerAnswer, run.cpuUs / good.length);
		const waited = rows.filter(
			(row, i) => rows.slice(0, i).filter((before) => !(before.received <= row.scheduled)).length >= connections,
		);
		assert.equal(judged.waitedForConnection, waited.length);
	} finally {
		await server.close();
	}
});
