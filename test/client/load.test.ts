import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { answer, httpServer, type TestServer } from "./servers.js";

const COMMAND = fileURLToPath(new URL("../../../lib/bin/workbook.js", import.meta.url));

function start(...args: readonly string[]): {
	child: ChildProcess;
	end: Promise<{ code: number | null; out: string; err: string }>;
} {
	const child = spawn(process.execPath, [COMMAND, "load", ...args], { stdio: ["ignore", "pipe", "pipe"] });
	let [out, err] = ["", ""];
	child.stdout?.on("data", (chunk) => {
		out += String(chunk);
	});
	child.stderr?.on("data", (chunk) => {
		err += String(chunk);
	});
	return { child, end: once(child, "close").then(([code]) => ({ code, out, err })) };
}
const load = (...args: readonly string[]) => start(...args).end;

describe("workbook load", () => {
	let server: TestServer;
	const asked: string[] = [];
	const directory = mkdtempSync(join(tmpdir(), "load-"));
	before(async () => {
		server = await httpServer((response, body, request) => {
			asked.push(`${request.method} ${request.url} ${body}`);
			answer(response, request.url === "/busy" ? "busy" : "ok", request.url === "/busy" ? 503 : 200);
		});
	});
	after(async () => {
		await server.close();
		rmSync(directory, { recursive: true });
	});
	const at = (path: string) => new URL(path, server.url).href;
	// The verdict of a run beside other tests is the machine's: --topology shared leaves late sends out of it.
	const short = ["--rate", "100", "--seconds", "0.5", "--warmup", "0", "--topology", "shared", "--connections", "8"];

	test("--json: one object with the promised keys, and the same arrivals for the same seed", async () => {
		const { out, code, err } = await load("--url", at("/x"), ...short, "--seed", "7", "--json");
		const report: Record<string, unknown> = JSON.parse(out);
		for (const key of "scheduled answered failed timedOut unsent offeredPerSecond answeredPerSecond keepsUp latencyMs serviceTimeMs latenessMs cpuUsPerAnswer statusCounts verdict reasons".split(
			" ",
		)) {
			assert.ok(key in report, key);
		}
		assert.equal(report.answered, report.scheduled);
		assert.deepEqual(report.statusCounts, { "200": report.scheduled });
		assert.equal(code, report.verdict === "VALID" ? 0 : 1);
		assert.match(err, /100 requests a second for 0\.5 s/);
		assert.match(asked.at(-1) ?? "", /^GET \/x $/);
	});

	test("a file of bodies in a template, a method and headers", async () => {
		const file = join(directory, "bodies.txt");
		writeFileSync(file, "13085\n\n12346\n");
		asked.length = 0;
		await load(
			"--url",
			at("/p?q=1"),
			...short,
			"--bodies",
			file,
			"--body",
			'{"c":{{line}},"i":{{index}}}',
			"--method",
			"PUT",
		);
		assert.deepEqual(asked.slice(0, 3), [
			'PUT /p?q=1 {"c":13085,"i":0}',
			'PUT /p?q=1 {"c":12346,"i":1}',
			'PUT /p?q=1 {"c":13085,"i":2}',
		]);
	});

	test("a run with refusals is INVALID and exits 1, with a table and the reason", async () => {
		const { out, code } = await load("--url", at("/busy"), ...short);
		assert.equal(code, 1);
		assert.match(out, /scheduled = 0 answered \+ \d+ failed \+ 0 timed out \+ 0 unsent/);
		assert.match(out, /\d+ × HTTP 503/);
		assert.match(out, /^INVALID\n {2}of \d+ requests \d+ failed, .*HTTP 503 \(\d+×\)/m);
		assert.match(out, /latency, from the scheduled arrival/);
	});

	test("wrong usage exits 2 with one sentence", async () => {
		const fails = async (args: readonly string[], code: number, message: RegExp) => {
			const result = await load(...args);
			assert.equal(result.code, code, result.err);
			assert.match(result.err, message);
			assert.equal(result.out, "");
		};
		await Promise.all([
			fails(["--url", "here", ...short], 2, /^workbook: a URL begins with http:\/\/ or https:\/\/, got "here"\n/),
			fails(
				["--url", at("/"), ...short, "--header", "nonsense"],
				2,
				/^workbook: --header takes "name: value", got "nonsense"\n/,
			),
			fails(["--url", at("/"), ...short, "--bodies", join(directory, "none")], 2, /cannot be read: ENOENT/),
			fails(
				["--url", at("/"), ...short, "--connections", "513"],
				2,
				/--connections takes a whole number from 1 to 512, got "513"/,
			),
			fails(
				["--url", "http://127.0.0.1:1/", ...short],
				1,
				/no connection to http:\/\/127\.0\.0\.1:1: connect ECONNREFUSED/,
			),
		]);
	});

	test("Ctrl-C: one sentence, exit 130, nothing reported", async () => {
		const { child, end } = start("--url", at("/"), "--rate", "50", "--seconds", "60", "--warmup", "0");
		await once(child.stderr ?? child, "data");
		child.kill("SIGINT");
		const { code, out, err } = await end;
		assert.equal(code, 130);
		assert.equal(out, "");
		assert.match(err, /workbook: interrupted; a part of a run is no run/);
	});
});
