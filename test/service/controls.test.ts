import assert from "node:assert/strict";
import { test } from "node:test";
import { LAST_MONTH, post, store, testModel, withService } from "./doubles.js";

for (const setting of ["nomodel", "nomodel-deferred"]) {
	test(`${setting}: reads the row, asks no model, and says so: score 0, batch size 0`, async () => {
		const { model, calls } = testModel();
		await withService(setting, { model, calls }, async (_, url) => {
			const expected = (customerId: number) => ({ customerId, month: LAST_MONTH, score: 0, batchSize: 0, batchId: 0 });
			assert.deepEqual((await post(url, { customerId: 5 })).body, expected(5));
			const list = await post(url, { customers: [{ customerId: 5 }, { customerId: 6 }] });
			assert.deepEqual(list.body, { predictions: [expected(5), expected(6)] });
			assert.equal((await post(url, { customerId: 10_000 })).status, 404);
			assert.deepEqual(calls, []);
		});
	});
}

test("nomodel answers inside the handler, nomodel-deferred in a later turn of the loop", async () => {
	for (const [setting, order] of [
		["nomodel", ["read", "answered", "immediate"]],
		["nomodel-deferred", ["read", "immediate", "answered"]],
	] as const) {
		const seen: string[] = [];
		let answered = () => 0;
		const watched = {
			lookupInto(...args: Parameters<typeof store.lookupInto>) {
				seen.push("read");
				// Runs after the handler has returned, before any immediate.
				queueMicrotask(() => {
					if (answered() > 0) seen.push("answered");
				});
				setImmediate(() => seen.push("immediate"));
				return store.lookupInto(...args);
			},
		};
		await withService(setting, { store: watched }, async (service, url) => {
			answered = () => service.answered;
			await post(url, { customerId: 5 });
			if (!seen.includes("answered")) seen.push("answered");
		});
		assert.deepEqual(seen, order);
	}
});
