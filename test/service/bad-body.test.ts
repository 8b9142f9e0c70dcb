import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { post, scoreOf, testModel, withService } from "./doubles.js";

const cases: readonly [name: string, body: string | Uint8Array, status: number, message: RegExp][] = [
	["nothing", "", 400, /cannot be empty/],
	["not JSON", "{customerId:1}", 400, /not valid JSON/],
	["half of it", '{"customerId":', 400, /not valid JSON/],
	["a number", "17", 400, /body must be object, got 17/],
	["an array", '[{"customerId":1}]', 400, /body must be object/],
	["null", "null", 400, /body must be object, got null/],
	["no customer", "{}", 400, /body must have required property 'customerId'/],
	["a customer in quotes", '{"customerId":"17"}', 400, /body\.customerId must be integer, got \\"17\\"/],
	["half a customer", '{"customerId":1.5}', 400, /body\.customerId must be integer, got 1\.5/],
	["a negative customer", '{"customerId":-1}', 400, /body\.customerId must be >= 0, got -1/],
	["a customer beyond exact integers", '{"customerId":1e300}', 400, /body\.customerId must be <= 9007199254740991/],
	[
		"a month that is none",
		'{"customerId":1,"month":"2011-13"}',
		400,
		/body\.month must match pattern .*got \\"2011-13\\"/,
	],
	["a misspelt field", '{"customerId":1,"mnth":"2011-11"}', 400, /a field that is not known: \\"mnth\\"/],
	["both forms", '{"customerId":1,"customers":[{"customerId":1}]}', 400, /not known: \\"customerId\\"/],
	["an empty list", '{"customers":[]}', 400, /body\.customers must NOT have fewer than 1 items/],
	["a list of numbers", '{"customers":[1]}', 400, /body\.customers\.0 must be object, got 1/],
	["a bad item", '{"customers":[{"customerId":1},{}]}', 400, /body\.customers\.1 must have required property/],
	["a prototype", '{"customerId":1,"__proto__":{"x":1}}', 400, /not valid JSON/],
	[
		"bytes that are no UTF-8",
		Uint8Array.from([...Buffer.from('{"customerId":1,"month":"'), 0xff, 0xfe, 0x22, 0x7d]),
		400,
		/month/,
	],
	["60,000 brackets", `${"[".repeat(30_000)}${"]".repeat(30_000)}`, 400, /body must be object, got an array of 1/],
	["a deep object", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, 400, /customerId/],
	[
		"too much",
		JSON.stringify({ customers: Array.from({ length: 5000 }, () => ({ customerId: 1 })) }),
		413,
		/too large/,
	],
	[
		"too many",
		`{"customers":[${'{"customerId":1},'.repeat(1024)}{"customerId":1}]}`,
		400,
		/must NOT have more than 1024 items/,
	],
];

test("every bad body gets one coded sentence about what is wrong, and nothing is scored", async () => {
	const { model, calls } = testModel();
	await withService("b8w0", { model, calls }, async (_, url) => {
		for (const [name, body, status, message] of cases) {
			const reply = await post(url, body);
			assert.equal(reply.status, status, name);
			assert.match(reply.text, message, name);
			assert.match(reply.text, /^\{"error":\{"code":"[A-Z_]+","message":".*","hint":".*"\}\}$/, name);
			assert.ok(reply.text.length < 400, `${name}: the client's own bytes are not sent back`);
		}
		assert.deepEqual(calls, []);
	});
});

test("a body that is not said to be JSON is 415, another route or method 404", () =>
	withService("none", {}, async (_, url) => {
		for (const type of ["text/plain", "application/xml", "application/x-www-form-urlencoded"]) {
			const reply = await post(url, '{"customerId":1}', { "content-type": type });
			assert.equal(reply.status, 415, type);
			assert.match(reply.text, /"UNSUPPORTED_MEDIA_TYPE"/);
		}
		for (const [method, path] of [
			["GET", "/predict"],
			["POST", "/"],
			["GET", "/predict/%zz"],
			["DELETE", "/metrics"],
		] as const) {
			const reply = await fetch(url + path, { method });
			assert.equal(reply.status, 404, `${method} ${path}`);
			assert.match(await reply.text(), /"UNKNOWN_ROUTE"/);
		}
	}));

test("whatever the bytes: a coded 4xx, or a right answer; and the service lives on", () =>
	withService("b8w0", {}, async (_, url) => {
		const json = fc.json({ maxDepth: 6 });
		const nearly = fc
			.record(
				{
					customerId: fc.oneof(
						fc.integer(),
						fc.double(),
						fc.string(),
						fc.constant(null),
						fc.integer({ min: 1, max: 9999 }),
					),
					month: fc.oneof(fc.string(), fc.constantFrom("2011-09", "2011-1", "2011-11\n")),
					customers: fc.array(fc.record({ customerId: fc.integer({ min: -1, max: 20_000 }) }), { maxLength: 4 }),
				},
				{ requiredKeys: [] },
			)
			.map((body) => JSON.stringify(body));
		const cut = fc.tuple(nearly, fc.nat(60)).map(([text, length]) => text.slice(0, length));
		const bytes = fc.uint8Array({ maxLength: 300 });
		await fc.assert(
			fc.asyncProperty(fc.oneof(json, nearly, cut, bytes), async (body) => {
				const { status, text } = await post(url, body);
				if (status !== 200) {
					assert.ok(status === 400 || status === 404, `${status} ${text}`);
					assert.match(text, /^\{"error":\{"code":"(BAD_BODY|UNKNOWN_CUSTOMER)"/);
				}
			}),
			{ numRuns: 400 },
		);
		assert.deepEqual((await post(url, { customerId: 17 })).text.includes(String(scoreOf(17))), true);
	}));
