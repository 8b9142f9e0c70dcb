import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { openAssets, openModel, prepareAssets } from "batching-lab/model";
import { startService } from "batching-lab/service";
import { openStore, readRequests } from "batching-lab/shop";
import { get, post, until } from "./doubles.js";

const workbook = join(
	dirname(createRequire(import.meta.url).resolve("batching-lab/package.json")),
	"bin",
	"workbook.js",
);
let dataDir = "";
before(async () => {
	dataDir = mkdtempSync(join(tmpdir(), "serve-"));
	await prepareAssets(dataDir);
});
after(() => rmSync(dataDir, { recursive: true, force: true }));

interface Run {
	readonly child: ChildProcess;
	readonly out: () => string;
	readonly err: () => string;
	readonly exited: Promise<number | null>;
}

function run(...args: string[]): Run {
	const child = spawn(process.execPath, [workbook, "serve", ...args], {
		env: { ...process.env, BATCHING_LAB_DATA: dataDir },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let out = "";
	let err = "";
	child.stdout?.on("data", (text) => {
		out += text;
	});
	child.stderr?.on("data", (text) => {
		err += text;
	});
	return { child, out: () => out, err: () => err, exited: once(child, "close").then(([code]) => code) };
}

async function urlOf({ out, err }: Run): Promise<string> {
	await until(() => /http:\S+ .*\n/.test(out() + err()), "the line with the URL");
	return /http:\/\/127\.0\.0\.1:\d+/.exec(out() + err())?.[0] ?? "";
}

test("serve prints one line with a request that works, and SIGTERM ends it with 0", async () => {
	const service = run("--max-batch-size", "16", "--max-wait-ms", "1.5", "--port", "0");
	const url = await urlOf(service);
	assert.match(
		service.out(),
		/^gbt with b16w1\.5 on http:\/\/127\.0\.0\.1:\d+ {2}try: curl -s .* -d '\{"customerId":\d+.*\}'\n$/,
	);
	const body = /-d '(.*)'\n$/.exec(service.out())?.[1] ?? "";
	const reply = await post(url, body);
	assert.equal(reply.status, 200);
	assert.match(reply.text, /"score":0\.\d+,"batchSize":1,"batchId":1\}$/);
	assert.equal((await get(`${url}/healthz`)).status, 200);
	service.child.kill("SIGTERM");
	assert.equal(await service.exited, 0);
	assert.equal(service.err(), "");
});

test("with --log each request and answer is a JSON line on standard output", async () => {
	const service = run("--setting", "none", "--port", "0", "--log");
	const url = await urlOf(service);
	await post(url, { customerId: 1 });
	service.child.kill("SIGINT");
	assert.equal(await service.exited, 0);
	const lines: Record<string, unknown>[] = service
		.out()
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
	assert.ok(lines.some(({ msg }) => msg === "incoming request"));
	assert.ok(lines.some(({ msg, responseTime }) => msg === "request completed" && Number(responseTime) > 0));
});

test("wrong usage is one sentence and exit code 2; a port in use is 1", async () => {
	const first = run("--port", "0");
	const port = new URL(await urlOf(first)).port;
	for (const [args, code, message] of [
		[["--port", port], 1, new RegExp(`^workbook: port ${port} of 127\\.0\\.0\\.1 is in use\n`)],
		[["--setting", "b32"], 2, /^workbook: unknown setting "b32"/],
		[["--setting", "none", "--max-wait-ms", "1"], 2, /^workbook: --setting says B and W already/],
		[["--max-batch-size", "1", "--max-wait-ms", "1"], 2, /^workbook: setting "b1w1" has no meaning/],
		[["--max-batch-size", "0"], 2, /--max-batch-size takes a whole number from 1 to 65535, got "0"/],
		[["--max-wait-ms", "123456"], 2, /--max-wait-ms takes a number from 0 to 99999, got "123456"/],
		[["--model", "gpt"], 2, /^workbook: unknown model "gpt"/],
		[["--max-queue", "3"], 2, /maxQueue must be a whole number, 32 or more, got 3/],
	] as const) {
		const failed = run(...args);
		assert.equal(await failed.exited, code, args.join(" "));
		assert.match(failed.err(), message);
	}
	first.child.kill("SIGTERM");
	assert.equal(await first.exited, 0);
});

test("the process of a timed run answers with the bits that the model gives the row alone", async () => {
	const assets = openAssets(dataDir);
	const store = openStore(assets.storePath);
	const model = await openModel(assets, "gbt");
	const [input] = model.inputs;
	const requests = readRequests(assets.requestsPath).slice(0, 200);
	const alone: number[] = [];
	for (const { customerId, month } of requests) {
		const features = new Float32Array(6);
		store.lookupInto(customerId, month, features, 0);
		const [score] = await model.score({ [input?.name ?? ""]: features }, 1);
		alone.push(score ?? Number.NaN);
	}
	for (const setting of ["none", "b32w0"]) {
		const service = await startService({ dataDir, model: "gbt", setting, port: 0, stamps: false });
		const url = `http://127.0.0.1:${service.port}`;
		const replies = await Promise.all(requests.map(({ body }) => post(url, body)));
		assert.deepEqual(
			replies.map(({ text }) => JSON.parse(text).score),
			alone,
		);
		assert.deepEqual(
			replies.map(({ text }) => JSON.parse(text).month),
			requests.map(({ month }) => month),
		);
		await service.stop();
	}
	store.close();
	await model.close();
	await assert.rejects(startService({ dataDir, model: "nope", setting: "none", port: 0, stamps: false }), {
		code: "UNKNOWN_MODEL",
	});
	await assert.rejects(
		startService({ dataDir: join(dataDir, "nowhere"), model: "gbt", setting: "none", port: 0, stamps: false }),
		{
			code: "ASSETS_MISSING",
		},
	);
});
