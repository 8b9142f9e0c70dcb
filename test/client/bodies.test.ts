import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bodiesFrom, readBodyLines } from "batching-lab/client";
import { answer, every, httpServer, measure, prediction } from "./servers.js";

async function requestsOf(configure: Parameters<typeof measure>[1]) {
	const bodies: string[] = [];
	const requests: IncomingMessage[] = [];
	const server = await httpServer((response, body, request) => {
		bodies.push(body);
		requests.push(request);
		answer(response, prediction(0.5));
	});
	try {
		const run = await measure(server.url, { connections: 1, arrivalsNs: every(1, 4), ...configure });
		return { bodies, requests, run };
	} finally {
		await server.close();
	}
}

test("bodies are used in turn from the offset on, and the columns say which", async () => {
	const { bodies, run } = await requestsOf({ bodies: ["a", "é", "c"], offset: 2 });
	assert.deepEqual(bodies, ["c", "a", "é", "c"]);
	assert.deepEqual([...run.columns.bodyIndex], [2, 0, 1, 2]);
});

test("{{index}} is the request's number, where that was asked for", async () => {
	const template = '{"id":{{index}},"again":"{{index}}"}';
	const { bodies } = await requestsOf({ bodies: [template], template: true });
	assert.deepEqual(
		bodies,
		[0, 1, 2, 3].map((i) => `{"id":${i},"again":"${i}"}`),
	);
	assert.deepEqual((await requestsOf({ bodies: [template] })).bodies[0], template);
});

test("POST with JSON by default, GET without a body, and anything else by option", async () => {
	const [post] = (await requestsOf({})).requests;
	assert.equal(post?.method, "POST");
	assert.equal(post?.headers["content-type"], "application/json");
	const plain = await requestsOf({ bodies: [] });
	assert.equal(plain.requests[0]?.method, "GET");
	assert.equal(plain.requests[0]?.headers["content-type"], undefined);
	assert.deepEqual(plain.bodies, ["", "", "", ""]);
	const headers = [
		["x-name", "value"],
		["content-type", "text/plain"],
	] as const;
	const [put] = (await requestsOf({ method: "put", headers, bodies: ["text"] })).requests;
	assert.equal(put?.method, "PUT");
	assert.equal(put?.headers["x-name"], "value");
	assert.equal(put?.headers["content-type"], "text/plain");
});

test("what cannot be sent is refused before anything is opened", async () => {
	const refused = (configure: Parameters<typeof measure>[1], code: string, message: RegExp) =>
		assert.rejects(measure("http://127.0.0.1:1/", { arrivalsNs: every(1, 1), ...configure }), {
			code,
			message,
			exitCode: 2,
		});
	await refused({ headers: [["connection", "close"]] }, "BAD_HEADER", /sets "connection" itself/);
	await refused({ headers: [["bad name", "x"]] }, "BAD_HEADER", /"bad name: x" is not a header/);
	await refused({ headers: [["x", "line\nbreak"]] }, "BAD_HEADER", /is not a header/);
	await refused({ method: "GET" }, "BAD_METHOD", /^GET carries no body$/);
	await refused({ method: "no thing" }, "BAD_METHOD", /got "no thing"/);
	await refused({ connections: 0 }, "BAD_CONNECTIONS", /from 1 to 512, got 0/);
	await refused({ connections: 513 }, "BAD_CONNECTIONS", /got 513/);
	await refused({ arrivalsNs: Float64Array.of(2, 1) }, "BAD_ARRIVALS", /arrival 1 is 1/);
	await refused({ arrivalsNs: Float64Array.of(Number.NaN) }, "BAD_ARRIVALS", /arrival 0 is NaN/);
	// a timer of more than 2 ** 31 ms rings at once, and the run would end before its first arrival
	await refused({ drainMs: 1e12 }, "BAD_DURATION", /^draining takes from 0 to 1000000 s, got 1000000000 s$/);
	for (const ms of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
		await refused({ drainMs: ms }, "BAD_DURATION", /^draining/);
		await refused({ warmupMs: ms }, "BAD_DURATION", /^warm-up/);
		await refused({ countMs: ms }, "BAD_DURATION", /^counting/);
	}
	await assert.rejects(measure("ftp://127.0.0.1/", {}), { code: "BAD_URL", exitCode: 2 });
	await assert.rejects(measure("http://me:secret@127.0.0.1/", {}), {
		code: "BAD_URL",
		message: /a name and a password/,
	});
});

test("a template and a file of lines", () => {
	assert.deepEqual(bodiesFrom(undefined, undefined), []);
	assert.deepEqual(bodiesFrom("x", undefined), ["x"]);
	assert.deepEqual(bodiesFrom(undefined, ["a", "b"]), ["a", "b"]);
	assert.deepEqual(bodiesFrom('{"q":"{{line}}"}', ["a", "$&"]), ['{"q":"a"}', '{"q":"$&"}']);
	assert.throws(() => bodiesFrom("x", ["a"]), { code: "BAD_BODIES", message: /does not say where the lines go: x/ });
});

test("a file of bodies as any editor writes it", (t) => {
	const folder = mkdtempSync(join(tmpdir(), "bodies-"));
	t.after(() => rmSync(folder, { recursive: true }));
	const path = join(folder, "bodies");
	const linesOf = (text: string) => {
		writeFileSync(path, text);
		return readBodyLines(path);
	};
	assert.deepEqual(linesOf('{"a":1}\n\n{"a":2}\n'), ['{"a":1}', '{"a":2}']);
	assert.deepEqual(linesOf('\uFEFF{"a":1}\r\n{"a":2}\r\n'), ['{"a":1}', '{"a":2}']);
	for (const text of ["", "\r\n", "\uFEFF"])
		assert.throws(() => linesOf(text), { code: "BAD_BODIES", message: /no lines/ });
	assert.throws(() => readBodyLines(folder), { code: "BAD_BODIES", message: /cannot be read: EISDIR/ });
});
