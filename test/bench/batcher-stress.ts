/**
 * Ten million rows (or as many as the first argument says) through one batcher, with random aborts, deadlines, throws
 * and poison rows. Exits 1 unless every row was settled exactly once with its own score and the heap stayed flat.
 */
import { complaints, stress } from "../batcher/stress.js";

const rows = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 10_000_000);
const result = await stress(rows, 1, (done, heapMb) => {
	console.log(`${done.toLocaleString("en")} rows, ${heapMb.toFixed(1)} MB of heap`);
});
const { stats, ends, seconds } = result;
console.log(
	`${rows.toLocaleString("en")} rows in ${seconds.toFixed(1)} s, ${stats.batches.toLocaleString("en")} model calls`,
);
for (const [how, count] of Object.entries(ends).sort(([, a], [, b]) => b - a)) {
	console.log(`${String(count).padStart(10)}  ${how}`);
}
const found = complaints(result);
for (const complaint of found) console.error(`FAIL  ${complaint}`);
if (found.length === 0) console.log("ok  every row settled exactly once, with its own score; heap flat");
process.exitCode = found.length === 0 ? 0 : 1;
