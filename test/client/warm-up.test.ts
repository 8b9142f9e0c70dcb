import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, every, httpServer, measure, prediction } from "./servers.js";

test("an open run may warm up with a closed burst over every connection; none of it is counted", async () => {
	let open = 0;
	let mostOpen = 0;
	let requests = 0;
	const server = await httpServer((response) => {
		requests++;
		mostOpen = Math.max(mostOpen, ++open);
		setTimeout(() => {
			open--;
			answer(response, prediction(0.5));
		}, 5);
	});
	try {
		const { columns } = await measure(server.url, {
			connections: 8,
			warmupMs: 200,
			warmupBurstMs: 150,
			warmupRate: 20,
			arrivalsNs: every(30, 3),
		});
		assert.equal(mostOpen, 8);
		assert.equal(columns.outcome.length, 3);
		assert.ok(requests > 3 + 8, `${requests} requests came`);
	} finally {
		await server.close();
	}
});

test("a burst longer than the warm-up is the whole of it", async () => {
	let requests = 0;
	const server = await httpServer((response) => {
		requests++;
		answer(response, prediction(0.5));
	});
	try {
		const { columns } = await measure(server.url, {
			connections: 2,
			warmupMs: 50,
			warmupBurstMs: 60_000,
			warmupRate: 1,
			arrivalsNs: every(5, 2),
		});
		assert.equal(columns.outcome.length, 2);
		assert.ok(requests >= 2 + 2);
	} finally {
		await server.close();
	}
});
