import assert from "node:assert/strict";
import { test } from "node:test";
import { LAST_MONTH, post, scoreOf, testModel, until, withService } from "./doubles.js";

for (const setting of ["none", "b1w0", "b8w0", "b8w2"]) {
	test(`${setting}: one customer gets the score of the last month, or of the month asked for`, () =>
		withService(setting, {}, async (_, url) => {
			const last = await post(url, { customerId: 17 });
			assert.equal(last.status, 200);
			assert.equal(last.headers.get("content-type"), "application/json; charset=utf-8");
			const isNone = setting === "none";
			assert.deepEqual(last.body, {
				customerId: 17,
				month: LAST_MONTH,
				score: scoreOf(17),
				batchSize: 1,
				batchId: isNone ? 0 : 1,
			});
			const asked = await post(url, { customerId: 17, month: "2011-09" });
			assert.deepEqual(asked.body, {
				customerId: 17,
				month: "2011-09",
				score: scoreOf(17, "2011-09"),
				batchSize: 1,
				batchId: isNone ? 0 : 2,
			});
		}));

	test(`${setting}: a list is answered whole, in the order asked, its rows counted one by one`, async () => {
		const { model, calls } = testModel();
		await withService(setting, { model, calls }, async (_, url) => {
			const customers = Array.from({ length: 20 }, (_, index) => ({ customerId: 20 - index }));
			const { status, body } = await post(url, { customers });
			assert.equal(status, 200);
			assert.ok(typeof body === "object" && body !== null && "predictions" in body && Array.isArray(body.predictions));
			assert.deepEqual(
				body.predictions.map(({ customerId, score }) => ({ customerId, score })),
				customers.map(({ customerId }) => ({ customerId, score: scoreOf(customerId) })),
			);
			const b = setting === "none" ? 1 : Number(/\d+/.exec(setting)?.[0]);
			assert.deepEqual(
				calls,
				Array.from({ length: Math.ceil(20 / b) }, (_, call) => Math.min(b, 20 - call * b)),
			);
		});
	});

	test(`${setting}: an unknown customer is 404 for the whole request, and nothing is scored`, async () => {
		const { model, calls } = testModel();
		await withService(setting, { model, calls }, async (_, url) => {
			const one = await post(url, { customerId: 10_000 });
			assert.equal(one.status, 404);
			assert.deepEqual(one.body, {
				error: {
					code: "UNKNOWN_CUSTOMER",
					message: "the store has no customer 10000",
					hint: "nothing was scored; ask for a customer and a month that the store has",
				},
			});
			const month = await post(url, { customerId: 17, month: "2010-01" });
			assert.equal(month.status, 404);
			assert.match(month.text, /no row of customer 17 for the month 2010-01; the last one is 2011-11/);
			const list = await post(url, { customers: [{ customerId: 1 }, { customerId: 0 }, { customerId: 2 }] });
			assert.equal(list.status, 404);
			assert.match(list.text, /no customer 0"/);
			assert.deepEqual(calls, []);
		});
	});
}

test("requests that arrive while the model is busy share its next call", async () => {
	const { model, calls, hold, release } = testModel();
	await withService("b8w0", { model, calls, maxInFlight: 1 }, async (service, url) => {
		hold();
		const first = post(url, { customerId: 1 });
		while (calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
		const rest = [2, 3, 4].map((customerId) => post(url, { customerId }));
		while (service.health().queue_depth < 3) await new Promise((resolve) => setTimeout(resolve, 1));
		release();
		const replies = await Promise.all([first, ...rest]);
		assert.deepEqual(
			replies.map(({ body }) => body),
			[1, 2, 3, 4].map((customerId) => ({
				customerId,
				month: LAST_MONTH,
				score: scoreOf(customerId),
				batchSize: customerId === 1 ? 1 : 3,
				batchId: customerId === 1 ? 1 : 2,
			})),
		);
		assert.deepEqual(calls, [1, 3]);
	});
});

test("more rows in one list than may wait are 413, since they could never fit", () =>
	withService("b4w0", { maxQueue: 8 }, async (_, url) => {
		const list = (length: number) => ({ customers: Array.from({ length }, (_, index) => ({ customerId: 1 + index })) });
		assert.equal((await post(url, list(8))).status, 200);
		const refused = await post(url, list(9));
		assert.equal(refused.status, 413);
		assert.match(refused.text, /"TOO_MANY_ROWS"/);
	}));

test("with W = 0 the batches of one turn are launched together, up to 32 rows; with a wait one at a time", async () => {
	for (const [setting, calls] of [
		["b1w0", 32],
		["b8w0", 4],
		["b32w0", 1],
		["b128w0", 1],
		["b8w1", 1],
	] as const) {
		const held = testModel();
		await withService(setting, held, async (service, url) => {
			held.hold();
			const customers = Array.from({ length: 200 }, (_, index) => ({ customerId: 1 + index }));
			const reply = post(url, { customers });
			await until(() => held.calls.length === calls, `${setting}: ${calls} calls`);
			const rows = held.calls.reduce((sum, size) => sum + size, 0);
			assert.equal(service.health().queue_depth, 200 - rows);
			held.release();
			assert.equal((await reply).status, 200);
		});
	}
});
