import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { judgeOpenRun } from "batching-lab/client";
import { type Request, runOf, steady } from "./columns.js";

const shared = { topology: "shared" } as const;
const separate = { topology: "separate" } as const;

test("a good run: figures to the number", () => {
	const run = runOf(steady(1000, 1, 0.1, 2));
	const { verdict, reasons, late, ...figures } = judgeOpenRun(run, separate);
	assert.deepEqual({ verdict, reasons, late }, { verdict: "VALID", reasons: [], late: false });
	const { latencyMs, serviceTimeMs, latenessMs, ...rest } = figures;
	for (const value of Object.values(latencyMs)) {
		if (value !== null) assert.ok(Math.abs(value - 2.1) < 1e-6);
	}
	assert.equal(latencyMs.p999, null, "1,000 requests are too few for that");
	assert.ok(Math.abs((serviceTimeMs.p99 ?? 0) - 2) < 1e-6);
	assert.ok(Math.abs((latenessMs.p50 ?? 0) - 0.1) < 1e-6);
	assert.deepEqual(rest, {
		scheduled: 1000,
		answered: 1000,
		failed: 0,
		timedOut: 0,
		unsent: 0,
		offeredPerSecond: 1000,
		answeredPerSecond: (1000 / 1_001_100_000) * 1e9,
		keepsUp: true,
		waitedForConnection: 0,
		together: { sent: 0, scheduled: 0 },
		differing: null,
		cpuUsPerAnswer: 5,
		statusCounts: { "200": 1000 },
		errors: {},
	});
});

test("a run in which nothing was scheduled says nothing", () => {
	const { verdict, reasons, scheduled } = judgeOpenRun(runOf([]), separate);
	assert.deepEqual([verdict, scheduled], ["INVALID", 0]);
	assert.deepEqual(reasons, ["no request was scheduled, so nothing was measured"]);
});

describe("lost requests", () => {
	const lossy: Request[] = [
		...steady(96, 10, 0.1, 2),
		{ at: 960, sent: 960.1, received: 965, outcome: 1, status: 503 },
		{ at: 970, sent: 970.1, outcome: 1 },
		{ at: 980, sent: 980.1 },
		{ at: 990 },
	];

	test("make it INVALID, and the reason says how each was lost", () => {
		const errors = { "HTTP 503": 1, "read ECONNRESET": 1 };
		const { verdict, reasons, answered } = judgeOpenRun(runOf(lossy, { errors }), separate);
		assert.equal(verdict, "INVALID");
		assert.equal(answered, 96);
		assert.deepEqual(reasons, [
			"of 100 requests 2 failed, 1 timed out, 1 were not sent: HTTP 503 (1×); read ECONNRESET (1×)",
		]);
	});

	test("unless so many were allowed", () => {
		assert.equal(judgeOpenRun(runOf(lossy), { ...separate, lostShare: 0.04 }).verdict, "VALID");
		assert.equal(judgeOpenRun(runOf(lossy), { ...separate, lostShare: 0.039 }).verdict, "INVALID");
	});

	test("have no latency, whatever their refusal took", () => {
		assert.equal(judgeOpenRun(runOf(lossy), separate).latencyMs.max, 2.1);
	});

	test("that do not add up are said first", () => {
		const [first, ...others] = steady(10, 10, 0.1, 2);
		const broken = [{ at: 0, ...first, outcome: 9 }, ...others];
		assert.match(
			judgeOpenRun(runOf(broken), separate).reasons[0] ?? "",
			/^9 requests came to an end, 10 were scheduled$/,
		);
	});
});

describe("late sends", () => {
	const withLate = (late: number, lateMs: number, tookMs = 2) => [
		...steady(1000 - late, 1, 0.05, tookMs),
		...steady(late, 1, lateMs, tookMs).map((request) => ({
			at: request.at + 1000,
			sent: (request.sent ?? 0) + 1000,
			received: (request.received ?? 0) + 1000,
		})),
	];

	test("with a core each: 1 % may be later than 1 ms, no more", () => {
		assert.equal(judgeOpenRun(runOf(withLate(10, 1.01)), separate).verdict, "VALID");
		const { verdict, reasons } = judgeOpenRun(runOf(withLate(11, 1.01)), separate);
		assert.equal(verdict, "INVALID");
		assert.match(reasons[0] ?? "", /^1\.1 % of the sends were over 1\.00 ms late; at most 1\.0 % may be/);
	});

	test("the bound grows with the median latency: 10 % of it", () => {
		assert.equal(judgeOpenRun(runOf(withLate(20, 3, 40)), separate).verdict, "VALID");
		assert.equal(judgeOpenRun(runOf(withLate(20, 5, 40)), separate).verdict, "INVALID");
	});

	test("on a shared core they are waiting for the core: LATE above the bound, still VALID", () => {
		const some = judgeOpenRun(runOf(withLate(11, 9)), shared);
		assert.deepEqual([some.verdict, some.late, some.reasons], ["VALID", false, []]);
		const many = judgeOpenRun(runOf(withLate(11, 12)), shared);
		assert.deepEqual([many.verdict, many.late], ["VALID", true]);
		assert.match(many.reasons[0] ?? "", /^LATE: one send in a hundred waited 12\.00 ms or more/);
		assert.equal(judgeOpenRun(runOf(withLate(11, 9)), { ...shared, lateAboveMs: 5 }).late, true);
	});

	test("a request that found every connection taken was not sent late by the client", () => {
		// one connection, a request a ms, 5 ms each: a queue, and all of it the service's
		const requests = Array.from({ length: 400 }, (_, i) => ({ at: i, sent: i * 5 + 0.05, received: i * 5 + 5 }));
		const { verdict, waitedForConnection, reasons, keepsUp } = judgeOpenRun(
			runOf(requests, { connections: 1 }),
			separate,
		);
		assert.equal(waitedForConnection, 399);
		assert.deepEqual([verdict, reasons, keepsUp], ["VALID", [], false]);
	});
});

describe("sends in groups", () => {
	const poisson = (count: number): number[] => {
		let at = 0;
		let state = 1;
		return Array.from({ length: count }, () => {
			state = (state * 48_271) % 2_147_483_647;
			at -= Math.log(state / 2_147_483_647);
			return at;
		});
	};
	const sentBy = (coarseMs: number) =>
		poisson(2000).map((at) => {
			const sent = coarseMs === 0 ? at : Math.ceil(at / coarseMs) * coarseMs;
			return { at, sent, received: sent + 0.5 };
		});

	test("the drawn gaps pass", () => {
		const { verdict, together } = judgeOpenRun(runOf(sentBy(0), { arrivalMs: 2000 }), shared);
		assert.equal(verdict, "VALID");
		assert.ok(together.scheduled > 0.03 && together.scheduled < 0.07, `${together.scheduled}`);
	});

	test("a coarse timer that sends several at once is INVALID with a core each, and said aloud on a shared core", () => {
		const coarse = runOf(sentBy(1), { arrivalMs: 2000 });
		const apart = judgeOpenRun(coarse, separate);
		assert.equal(apart.verdict, "INVALID");
		assert.match(apart.reasons[0] ?? "", /of the sends came within 50 µs of the one before; drawn were \d/);
		const together = judgeOpenRun(coarse, shared);
		assert.deepEqual([together.verdict, together.late], ["VALID", false]);
		assert.match(together.reasons[0] ?? "", /^BUNCHED by the shared core: .* drawn were \d/);
	});

	test("a service that frees its connections in groups is not the client's doing", () => {
		// four connections, a request every 0.1 ms, four answers every 2 ms: the four next leave at once
		const requests = Array.from({ length: 400 }, (_, i) => {
			const turn = Math.floor(i / 4) * 2;
			return { at: i / 10, sent: Math.max(i / 10, turn), received: Math.max(i / 10, turn) + 2 };
		});
		const { verdict, waitedForConnection, together } = judgeOpenRun(runOf(requests, { connections: 4 }), shared);
		assert.deepEqual([verdict, waitedForConnection, together.sent], ["VALID", 396, 0]);
	});

	test("a metronome may meet a disturbance or two", () => {
		const metronome = steady(1000, 1, 0.1, 0.5);
		const disturbed = metronome.map((request, i) =>
			i % 100 < 2 ? { ...request, sent: Math.floor(i / 100) * 100 + 3 } : request,
		);
		assert.equal(judgeOpenRun(runOf(disturbed), shared).verdict, "VALID");
	});
});

describe("other scores", () => {
	const bodies = ['{"customerId":13085,"month":"2011-11"}', '{"customerId":12346}'];
	const expectedBits = Uint32Array.of(0x3e4ccccd, 0x3f000000);
	const requests: Request[] = [
		{ at: 1, sent: 1, received: 2, body: 0, bits: 0x3e4ccccd },
		{ at: 2, sent: 2, received: 3, body: 1, bits: 0x3f000002, batchSize: 7 },
		{ at: 3, sent: 3, received: 4, body: 0, bits: 0x3e4ccccc, batchSize: 32 },
		{ at: 4, sent: 4, received: 5, body: 0, bits: 0, outcome: 1, status: 500 },
	];
	const run = runOf(requests, { expectedBits, bodies });
	const rules = { ...shared, lostShare: 1 };

	test("name customer, month, batch size and both bit patterns", () => {
		const { verdict, differing, reasons } = judgeOpenRun(run, { ...rules, scores: "identical" });
		assert.equal(verdict, "INVALID");
		assert.deepEqual(differing, {
			compared: 3,
			count: 2,
			largestUlp: 2,
			examples: [
				{
					request: 1,
					customerId: 12346,
					month: null,
					batchSize: 7,
					expectedBits: "3f000000",
					answeredBits: "3f000002",
					ulp: 2,
				},
				{
					request: 2,
					customerId: 13085,
					month: "2011-11",
					batchSize: 32,
					expectedBits: "3e4ccccd",
					answeredBits: "3e4ccccc",
					ulp: 1,
				},
			],
		});
		assert.match(
			reasons[0] ?? "",
			/^2 of 3 scores .*customer 13085, month 2011-11, batch of 32: 3e4ccccc, alone 3e4ccccd$/,
		);
	});

	test("are counted and not judged where the bit check was not identical, unless a tolerance is stated", () => {
		assert.equal(judgeOpenRun(run, rules).verdict, "VALID");
		assert.equal(judgeOpenRun(run, { ...rules, scores: 2 }).verdict, "VALID");
		assert.equal(judgeOpenRun(run, { ...rules, scores: 1 }).verdict, "INVALID");
		assert.equal(judgeOpenRun(run, { ...rules, scores: 0 }).verdict, "INVALID");
	});

	test("a body without a single-row score is a mistake, not a difference", () => {
		assert.throws(() => judgeOpenRun(runOf(requests, { expectedBits: Uint32Array.of(1) }), rules), RangeError);
	});
});
