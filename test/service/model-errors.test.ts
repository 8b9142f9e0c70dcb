import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, get, post, scoreOf, testModel, until, withService } from "./doubles.js";

const codeOf = ({ body }: Answer): unknown =>
	typeof body === "object" &&
	body !== null &&
	"error" in body &&
	typeof body.error === "object" &&
	body.error !== null &&
	"code" in body.error
		? body.error.code
		: undefined;

const poisoned = () =>
	testModel((customerId, place) => {
		if (customerId === 666) throw new Error("poison");
		return customerId === 13 ? Number.NaN : (10 * customerId + place) / 99_999;
	});

for (const setting of ["none", "b8w0"]) {
	test(`${setting}: a model that throws is 500 for its own request, and the service lives on`, async () => {
		await withService(setting, poisoned(), async (_, url) => {
			const bad = await post(url, { customerId: 666 });
			assert.equal(bad.status, 500);
			assert.equal(codeOf(bad), "MODEL_FAILED");
			const metrics = await get(`${url}/metrics`);
			assert.match(metrics.text, /^inference_errors_total 1$/m);
			assert.equal((await post(url, { customerId: 1 })).status, 200);
		});
	});

	test(`${setting}: a score that is no number is 500, never null in a reply`, () =>
		withService(setting, poisoned(), async (_, url) => {
			const bad = await post(url, { customerId: 13 });
			assert.equal(bad.status, 500);
			assert.equal(codeOf(bad), "NON_FINITE_SCORE");
		}));
}

test("one poison row costs one error: the others of its batch get their scores", async () => {
	const held = poisoned();
	await withService("b8w0", { ...held, maxInFlight: 1 }, async (service, url) => {
		held.hold();
		const first = post(url, { customerId: 1 });
		await until(() => held.calls.length === 1, "the first call");
		const rest = [2, 666, 3, 4].map((customerId) => post(url, { customerId }));
		await until(() => service.health().queue_depth === 4, "four rows wait");
		held.release();
		assert.equal((await first).status, 200);
		const replies = await Promise.all(rest);
		assert.deepEqual(
			replies.map(({ status }) => status),
			[200, 500, 200, 200],
		);
		const [two] = replies;
		assert.deepEqual(two?.body, { customerId: 2, month: "2011-11", score: scoreOf(2), batchSize: 1, batchId: 3 });
	});
});

test("a call that outlives modelTimeoutMs is 504, the service is unhealthy until it comes back", async () => {
	const held = testModel();
	await withService("b8w0", { ...held, maxInFlight: 1, modelTimeoutMs: 300 }, async (service, url) => {
		held.hold();
		const late = await post(url, { customerId: 1 });
		assert.equal(late.status, 504);
		assert.equal(codeOf(late), "MODEL_TIMEOUT");
		const health = await get(`${url}/healthz`);
		assert.equal(health.status, 503);
		assert.deepEqual(health.body, { ready: false, draining: false, healthy: false, queue_depth: 0 });
		const refused = await post(url, { customerId: 2 });
		assert.equal(refused.status, 503);
		assert.equal(codeOf(refused), "MODEL_STUCK");
		assert.equal(refused.headers.get("retry-after"), "1");
		held.release();
		await until(() => service.health().healthy, "healthy again");
		assert.equal((await post(url, { customerId: 3 })).status, 200);
	});
});
