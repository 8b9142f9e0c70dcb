import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { z } from "zod";

const command = resolve(import.meta.dirname, "../../../lib/bin/workbook.js");
const folder = mkdtempSync(join(tmpdir(), "data-command-"));
const dataDir = join(folder, "data");
after(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** Runs the command; `onText` sees what it says on standard error while it runs. */
function workbook(
	args: readonly string[],
	onText?: (text: string, kill: (signal: "SIGINT") => void) => void,
): Promise<Ended> {
	return new Promise((done, failed) => {
		const child = spawn(process.execPath, [command, "data", ...args], {
			cwd: folder,
			env: { ...process.env, BATCHING_LAB_DATA: dataDir },
		});
		let stdout = "";
		let stderr = "";
		child.stdout.setEncoding("utf8").on("data", (text: string) => {
			stdout += text;
		});
		child.stderr.setEncoding("utf8").on("data", (text: string) => {
			stderr += text;
			onText?.(stderr, (signal) => child.kill(signal));
		});
		child.on("error", failed).on("close", (code) => done({ code, stdout, stderr }));
	});
}

function fingerprints(): Record<string, string> {
	return Object.fromEntries(
		readdirSync(dataDir)
			.sort()
			.map((name) => [
				name,
				createHash("sha256")
					.update(readFileSync(join(dataDir, name)))
					.digest("hex"),
			]),
	);
}

const infoSchema = z.object({
	built: z.literal(true),
	shop: z.object({ source: z.string(), testRows: z.number(), requests: z.number(), whole: z.boolean() }).loose(),
	models: z.object({ gbt: z.object({ trees: z.number(), testAveragePrecision: z.number() }) }),
	lesson: z.object({ averagePrecision: z.literal(0.545), source: z.string() }),
});

/** A shop of 60 customers: half buy every month, half hardly ever. */
function smallOrders(): string {
	const rows = ["customer,invoice,time,lines,buy_lines,amount"];
	for (let customer = 1; customer <= 60; customer++)
		for (let month = 1; month <= 23; month++) {
			if (customer % 2 === 1 && month % 5 !== customer % 5) continue;
			const time = new Date(Date.UTC(2009, 11 + month, 5, 10)).toISOString().slice(0, 16);
			rows.push(`${customer},${customer * 100 + month},${time},2,2,${10 + (customer % 7)}.5`);
		}
	return `${rows.join("\n")}\n`;
}

describe("workbook data", () => {
	before(async () => {
		const nothingYet = await workbook(["info"]);
		assert.equal(nothingYet.code, 0);
		assert.match(nothingYet.stdout, /none yet/);
		assert.deepEqual(JSON.parse((await workbook(["info", "--json"])).stdout), { dataDir, built: false });
		assert.equal((await workbook(["reset"])).code, 0);
	});

	it("reset makes the synthetic shop, info tells of it, with the lesson's figure apart", async () => {
		const { shop, models } = infoSchema.parse(JSON.parse((await workbook(["info", "--json"])).stdout));
		assert.equal(shop.source, "synthetic");
		assert.equal(shop.testRows, 26_851);
		assert.equal(shop.requests, 20_000);
		assert.ok(models.gbt.testAveragePrecision >= 0.53);
		const text = (await workbook(["info"])).stdout;
		assert.match(text, new RegExp(`AP ${models.gbt.testAveragePrecision.toFixed(4)} on these test rows`));
		assert.match(text, /the lesson's own model, .*: AP 0\.5450/);
	});

	it("import leaves everything as it was when a row is malformed: exit 2, line and value named", async () => {
		const earlier = fingerprints();
		const file = join(folder, "bad.csv");
		writeFileSync(file, smallOrders().replace("2010-01-05T10:00", "5 January"));
		const { code, stdout, stderr } = await workbook(["import", file, "--json"]);
		assert.equal(code, 2);
		assert.match(stderr, /line 2: time "5 January" is not a time like/);
		const { error } = z.object({ error: z.object({ code: z.string() }).loose() }).parse(JSON.parse(stdout));
		assert.equal(error.code, "MALFORMED_ROW");
		assert.deepEqual(fingerprints(), earlier);
	});

	it("import stopped by Ctrl-C leaves everything as it was: exit 130", async () => {
		const earlier = fingerprints();
		const file = join(folder, "small.csv");
		writeFileSync(file, smallOrders());
		let sent = false;
		const { code, stderr } = await workbook(["import", file], (text, kill) => {
			if (!sent && text.includes("reading")) kill("SIGINT");
			sent ||= text.includes("reading");
		});
		assert.ok(sent);
		assert.equal(code, 130, stderr);
		assert.match(stderr, /interrupted/);
		assert.deepEqual(fingerprints(), earlier);
	});

	it("import puts the file's shop in place, attributed, and says when it is not the whole extract", async () => {
		const file = join(folder, "small.csv");
		writeFileSync(file, smallOrders());
		const { code, stdout, stderr } = await workbook(["import", file, "--json"]);
		assert.equal(code, 0, stderr);
		const { shop } = infoSchema.parse(JSON.parse(stdout));
		assert.equal(shop.source, "imported");
		assert.equal(shop.whole, false);
		assert.match(String(shop.attribution), /CC BY 4\.0/);
		assert.match((await workbook(["info"])).stdout, /the whole extract has 44,876 invoices/);
	});

	it("refuses wrong usage with exit 2", async () => {
		for (const args of [["import"], ["import", "missing.csv"], ["reset", "--seed", "x"], ["inform"]]) {
			const { code, stderr } = await workbook(args);
			assert.equal(code, 2, `${args.join(" ")}: ${stderr}`);
			assert.notEqual(stderr, "");
		}
	});
});
