/**
 * What a request costs in the batcher, beside dataloader 2.2.3, in groups of 32.
 *
 * The cases take turns, so that a slow minute meets all of them; a figure is the median of the rounds, in µs of CPU
 * time a request, with everything that a request needs: the promise, its share of the turn, the awaiting.
 * `--check` exits 1 unless the batcher with every option on costs at most what dataloader costs, and at most 0.3 µs.
 */

import { MicroBatcher } from "batching-lab/batcher";
import DataLoader from "dataloader";

const GROUP = 32;
const GROUPS = 3000;
const ROUNDS = 21;
const LIMIT_US = 0.3;

const double = async (rows: readonly number[]): Promise<number[]> => rows.map((row) => 2 * row);

type Ask = (row: number) => Promise<unknown>;
interface Case {
	readonly name: string;
	readonly ask: Ask;
	readonly afterGroup?: () => void;
	readonly costsUs: number[];
}

function make(name: string, ask: Ask, afterGroup?: () => void): Case {
	return { name, ask, costsUs: [], ...(afterGroup === undefined ? {} : { afterGroup }) };
}

let reported = 0;
const allOn = {
	maxBatchSize: GROUP,
	maxQueue: 1024,
	queueDeadlineMs: 1000,
	modelTimeoutMs: 1000,
	isolate: true,
	onBatch: ({ size }: { readonly size: number }): void => {
		reported += size;
	},
};
const plain = new MicroBatcher(double, { maxBatchSize: GROUP });
const full = new MicroBatcher(double, allOn);
const waiting = new MicroBatcher(double, { ...allOn, maxWaitMs: 2 });
const cached = new DataLoader(double, { maxBatchSize: GROUP });
const sameJob = new DataLoader(double, {
	cache: false,
	maxBatchSize: GROUP,
	batchScheduleFn: (callback) => {
		setImmediate(callback);
	},
});
const nextTick = new DataLoader(double, { cache: false, maxBatchSize: GROUP });
const { signal } = new AbortController();

const ours = make("MicroBatcher, every option on", (row) => full.submit(row));
const asItComes = make(
	"dataloader as it comes (cache cleared after each group, or it grows for ever)",
	(row) => cached.load(row),
	() => {
		cached.clearAll();
	},
);
const compared: readonly Case[] = [
	ours,
	asItComes,
	make("dataloader doing the same job (no cache, batches leave in setImmediate)", (row) => sameJob.load(row)),
	make("dataloader without cache, batches leave in nextTick (requests of two sockets never meet)", (row) =>
		nextTick.load(row),
	),
];
const others: readonly Case[] = [
	make("MicroBatcher, defaults", (row) => plain.submit(row)),
	make("MicroBatcher, every option on and W = 2 ms", (row) => waiting.submit(row)),
	make("MicroBatcher, every option on, submitDetailed", (row) => full.submitDetailed(row)),
	make("MicroBatcher, every option on, one signal for all, a deadline a request", (row) =>
		full.submit(row, { signal, deadlineMs: 500 }),
	),
];

async function costUs({ ask, afterGroup }: Case): Promise<number> {
	const asked: Promise<unknown>[] = [];
	const before = process.cpuUsage();
	for (let group = 0; group < GROUPS; group++) {
		for (let row = 0; row < GROUP; row++) asked[row] = ask(row);
		await Promise.all(asked);
		afterGroup?.();
	}
	const { user, system } = process.cpuUsage(before);
	return (user + system) / (GROUPS * GROUP);
}

function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[sorted.length >> 1] ?? Number.NaN;
}

console.log(`µs of CPU a request, groups of ${GROUP}, median of ${ROUNDS} interleaved rounds [min, max]`);
// One after the other: a program has one of the other configurations, and the compiler knows it.
for (const cases of [compared, others]) {
	// The first rounds compile the code; they do not count.
	for (let round = -2; round < ROUNDS; round++) {
		for (const each of cases) {
			const us = await costUs(each);
			if (round >= 0) each.costsUs.push(us);
		}
	}
	for (const { name, costsUs } of cases) {
		const [low, high] = [Math.min(...costsUs), Math.max(...costsUs)];
		console.log(`${median(costsUs).toFixed(3)}  [${low.toFixed(3)}, ${high.toFixed(3)}]  ${name}`);
	}
}

if (process.argv.includes("--check")) {
	const cost = median(ours.costsUs);
	const theirs = median(asItComes.costsUs);
	const misses = [
		...(cost > theirs ? [`${cost.toFixed(3)} is more than ${theirs.toFixed(3)}, ${asItComes.name}`] : []),
		...(cost > LIMIT_US ? [`${cost.toFixed(3)} is more than ${LIMIT_US} µs`] : []),
		...(reported === 0 ? ["onBatch was never called"] : []),
	];
	for (const miss of misses) console.error(`FAIL  ${miss}`);
	if (misses.length === 0) console.log("ok  at most dataloader's cost, and at most 0.3 µs");
	process.exitCode = misses.length === 0 ? 0 : 1;
}
