/** A report on five million requests: bounds are 30 s and 1 GB. Works on a made-up lab; nothing is timed in it. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeLab } from "../report/lab.js";

const LEAST_REQUESTS = 5_000_000;
const REPORT = `
const { makeReport, openSource } = await import("batching-lab/report");
const source = openSource(process.argv[1]);
const began = performance.now();
const report = makeReport(source);
const seconds = (performance.now() - began) / 1000;
const requests = report.facts.runs.reduce((sum, run) => sum + run.counts.scheduled, 0);
console.log(JSON.stringify({ requests, seconds, numbers: report.checked, megabytes: process.resourceUsage().maxRSS / 1024 }));
`;

const folder = mkdtempSync(join(tmpdir(), "report-bench-"));
try {
	const settings = ["none", "b1w0", "b8w0", "b32w0", "b32w1", "b32w2", "b128w0"];
	makeLab(folder, { models: ["gbt"], settings, rateMultiples: [0.5, 1, 1.6], rounds: 3, seconds: 6.6 });
	const run = spawnSync(process.execPath, ["--input-type=module", "-e", REPORT, folder], {
		encoding: "utf8",
		cwd: import.meta.dirname,
	});
	if (run.status !== 0) throw new Error(run.stderr);
	const { requests, seconds, numbers, megabytes } = JSON.parse(run.stdout);
	console.log(
		`report: ${requests.toLocaleString("en-US")} requests, ${numbers.toLocaleString("en-US")} numbers twice, in ${seconds.toFixed(1)} s with ${Math.round(megabytes)} MB`,
	);
	if (requests < LEAST_REQUESTS) throw new Error(`the made-up lab has ${requests} requests, fewer than it promises`);
	if (process.argv.includes("--check") && (seconds > 30 || megabytes > 1000)) process.exitCode = 1;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
