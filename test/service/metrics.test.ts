import assert from "node:assert/strict";
import { test } from "node:test";
import { get, post, testModel, until, withService } from "./doubles.js";

/** Every sample of a Prometheus text, by its name and labels as written; refuses a line that is none. */
function parse(text: string): Map<string, number> {
	const samples = new Map<string, number>();
	for (const line of text.split("\n")) {
		if (line === "" || /^# (HELP|TYPE) [a-z_]+ .+$/.test(line)) continue;
		const match = /^([a-z_]+(?:\{(?:[a-z]+="[^"]*",?)+\})?) (\S+)$/.exec(line);
		assert.ok(match?.[1] !== undefined && match[2] !== undefined, line);
		samples.set(match[1], Number(match[2]));
	}
	return samples;
}

const scrape = async (url: string) => parse((await get(`${url}/metrics`)).text);

test("the counts are those of what was sent", () =>
	withService("b8w0", {}, async (_, url) => {
		for (let customerId = 1; customerId <= 7; customerId++) await post(url, { customerId });
		await post(url, { customers: [{ customerId: 1 }, { customerId: 2 }, { customerId: 3 }] });
		await post(url, { customerId: 20_000 });
		await post(url, { customerId: "x" });
		await post(url, "{");
		await get(`${url}/nowhere`);
		await get(`${url}/healthz`);
		await scrape(url);
		const samples = await scrape(url);
		const requests = (method: string, route: string, status: number) =>
			samples.get(`http_requests_total{method="${method}",route="${route}",status="${status}"}`);
		assert.equal(requests("POST", "/predict", 200), 8);
		assert.equal(requests("POST", "/predict", 404), 1);
		assert.equal(requests("POST", "/predict", 400), 2);
		assert.equal(requests("any", "other", 404), 1);
		assert.equal(requests("GET", "/healthz", 200), 1);
		assert.equal(requests("GET", "/metrics", 200), 1);
		const duration = 'http_request_duration_seconds_count{method="POST",route="/predict"}';
		assert.equal(samples.get(duration), 11);
		assert.equal(samples.get(duration.replace("count{", 'bucket{le="+Inf",')), 11);
		assert.equal(samples.get("inference_batch_size_count"), 8);
		assert.equal(samples.get("inference_batch_size_sum"), 10);
		assert.equal(samples.get('inference_batch_size_bucket{le="1"}'), 7);
		assert.equal(samples.get('inference_batch_size_bucket{le="3"}'), 8);
		assert.equal(samples.get("inference_model_seconds_count"), 8);
		assert.equal(samples.get("inference_wait_seconds_count"), 8);
		assert.equal(samples.get("inference_wait_asked_seconds_total"), 0);
		assert.equal(samples.get('inference_flushes_total{reason="idle"}'), 8);
		assert.equal(samples.get('inference_flushes_total{reason="full"}'), 0);
		assert.equal(samples.get("inference_errors_total"), 0);
		assert.equal(samples.get("inference_queue_depth"), 0);
		assert.equal(samples.get("service_ready"), 1);
		assert.ok((samples.get("process_resident_memory_bytes") ?? 0) > 1e6);
		assert.ok((samples.get("http_open_connections") ?? 0) >= 1);
	}));

test("the buckets of a histogram rise, and end at its count", () =>
	withService("none", {}, async (_, url) => {
		for (let customerId = 1; customerId <= 30; customerId++) await post(url, { customerId });
		const buckets = [...(await scrape(url))].filter(
			([name]) => name.includes("duration_seconds_bucket{") && name.includes('"/predict"'),
		);
		const counts = buckets.map(([, count]) => count);
		assert.deepEqual(
			counts,
			[...counts].sort((one, other) => one - other),
		);
		assert.equal(counts.at(-1), 30);
	}));

test("without a batcher there are no queue metrics, and batches are of one row", () =>
	withService("none", {}, async (_, url) => {
		await post(url, { customers: [{ customerId: 1 }, { customerId: 2 }] });
		const samples = await scrape(url);
		assert.equal(samples.get("inference_batch_size_count"), 2);
		assert.equal(samples.get("inference_batch_size_sum"), 2);
		assert.ok(!samples.has("inference_queue_depth"));
	}));

test("a wait that was asked for shows beside the real one, as a batch that its timer sent", () =>
	withService("b8w5", {}, async (_, url) => {
		await post(url, { customerId: 1 });
		const samples = await scrape(url);
		assert.equal(samples.get("inference_wait_asked_seconds_total"), 0.005);
		assert.ok((samples.get("inference_wait_seconds_sum") ?? 0) >= 0.005);
		assert.equal(samples.get('inference_flushes_total{reason="timer"}'), 1);
	}));

test("the queue's depth rises while the model is held, in /healthz and in /metrics", async () => {
	const held = testModel();
	await withService("b2w0", { ...held, maxInFlight: 1 }, async (service, url) => {
		held.hold();
		const replies = [1, 2, 3, 4, 5, 6].map((customerId) => post(url, { customerId }));
		await until(() => service.health().queue_depth >= 4, "rows wait behind the first batch");
		const { body, status } = await get(`${url}/healthz`);
		const depth = service.health().queue_depth;
		assert.equal(status, 200);
		assert.deepEqual(body, { ready: true, draining: false, healthy: true, queue_depth: depth });
		assert.equal((await scrape(url)).get("inference_queue_depth"), depth);
		held.release();
		for (const { status } of await Promise.all(replies)) assert.equal(status, 200);
		assert.equal(service.health().queue_depth, 0);
	});
});
