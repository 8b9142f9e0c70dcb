import type { BitCheckRow, ModelAloneRow } from "../../record/index.js";
import { type Numbers, NumberTable } from "../numbers.js";
import { ends, middleOf } from "./arithmetic.js";

/** Times of one model by size and round, µs. */
function timesOf(rows: readonly ModelAloneRow[]): Map<number, number[]> {
	const times = new Map<number, number[]>();
	for (const row of rows) {
		for (const { size, p50Ns } of row.sizes) {
			const list = times.get(size);
			if (list === undefined) times.set(size, [p50Ns / 1000]);
			else list.push(p50Ns / 1000);
		}
	}
	return new Map([...times].sort(([a], [b]) => a - b));
}

/**
 * The line a + b·n with the least sum of squared relative errors, from its normal equations: with u = 1/y and v = n/y
 * it is the least-squares answer to a·u + b·v = 1.
 */
function lineOf(row: ModelAloneRow): [a: number, b: number] {
	let [uu, uv, vv, u1, v1] = [0, 0, 0, 0, 0];
	for (const { size, p50Ns } of row.sizes) {
		const u = 1000 / p50Ns;
		const v = size * u;
		uu += u * u;
		uv += u * v;
		vv += v * v;
		u1 += u;
		v1 += v;
	}
	const determinant = uu * vv - uv * uv;
	return [(u1 * vv - v1 * uv) / determinant, (v1 * uu - u1 * uv) / determinant];
}

function lines(
	table: NumberTable,
	key: string,
	own: readonly ModelAloneRow[],
	middle: ReadonlyMap<number, number>,
): void {
	const fits = own.map(lineOf);
	const fixed = fits.map(([a]) => a);
	const slope = fits.map(([, b]) => b);
	const [a, b] = [middleOf(fixed), middleOf(slope)];
	table.put(`${key}/fixedUs`, a);
	table.put(`${key}/marginalUs`, b);
	if (own.length > 1) {
		table.put(`${key}/fixedUsLow`, ends(fixed)[0]);
		table.put(`${key}/fixedUsHigh`, ends(fixed)[1]);
		table.put(`${key}/marginalUsLow`, ends(slope)[0]);
		table.put(`${key}/marginalUsHigh`, ends(slope)[1]);
	}
	let largest = 0;
	for (const [size, us] of middle) largest = Math.max(largest, Math.abs(1 - (a + b * size) / us));
	table.put(`${key}/largestResidualPercent`, largest * 100);
	const single = middle.get(1);
	if (single !== undefined) table.put(`${key}/fixedSharePercent`, (a / single) * 100);
}

export function secondAlone(rows: readonly ModelAloneRow[]): Numbers {
	const table = new NumberTable();
	for (const model of new Set(rows.map((row) => row.model))) {
		const own = rows.filter((row) => row.model === model);
		const times = timesOf(own);
		const middle = new Map([...times].map(([size, list]) => [size, middleOf(list)]));
		const single = middle.get(1);
		const key = `alone/${model}`;
		table.put(`${key}/rounds`, own.length);
		let plateau: number | undefined;
		for (const [size, us] of middle) {
			const [low, high] = ends(times.get(size) ?? []);
			table.put(`${key}/${size}/size`, size);
			table.put(`${key}/${size}/callUs`, us);
			table.put(`${key}/${size}/callUsLow`, low);
			table.put(`${key}/${size}/callUsHigh`, high);
			table.put(`${key}/${size}/rowUs`, us / size);
			if (single !== undefined) table.put(`${key}/${size}/cheaperTimes`, (single * size) / us);
			if (single !== undefined) table.put(`${key}/${size}/timesOneCall`, us / single);
			const half = middle.get(size / 2);
			// per row, twice the rows in `us` against `half`: saved = 1 − us / (2·half)
			if (half !== undefined) table.put(`${key}/${size}/savedPercent`, 100 - (50 * us) / half);
			const doubled = middle.get(size * 2);
			if (plateau === undefined && doubled !== undefined && doubled / 2 > 0.9 * us) plateau = size;
		}
		if (middle.size < 2) continue;
		table.put(`${key}/plateauSize`, plateau);
		lines(table, key, own, middle);
		const largest = [...middle.keys()].at(-1) ?? 1;
		const compared = Math.min(largest, 32);
		const company = middle.get(compared);
		if (single !== undefined && company !== undefined) table.put(`${key}/savedUsAt32`, single - company / compared);
	}
	return table.numbers;
}

export function secondBits(checks: readonly BitCheckRow[]): Numbers {
	const table = new NumberTable();
	for (const { model, threads, rows, distinctScores, sizes } of checks) {
		if (threads !== 1) continue;
		const key = `bits/${model}`;
		let [differ, maxUlp, maxAbs, worstSize, worstRows] = [0, 0, 0, 0, 0];
		for (const entry of sizes) {
			table.put(`${key}/${entry.size}/size`, entry.size);
			table.put(`${key}/${entry.size}/differingRows`, entry.differingRows);
			if (entry.differingRows > 0) differ++;
			if (entry.maxUlp > maxUlp) maxUlp = entry.maxUlp;
			if (entry.maxAbs > maxAbs) maxAbs = entry.maxAbs;
			if (entry.differingRows > worstRows) [worstSize, worstRows] = [entry.size, entry.differingRows];
		}
		table.put(`${key}/rows`, rows);
		table.put(`${key}/distinctScores`, distinctScores);
		table.put(`${key}/sizes`, sizes.length);
		table.put(`${key}/sizesThatDiffer`, differ);
		if (sizes.length === 0) continue;
		table.put(`${key}/maxUlp`, maxUlp);
		table.put(`${key}/maxAbs`, maxAbs);
		table.put(`${key}/worstDifferingRows`, worstRows);
		table.put(`${key}/worstPercent`, (worstRows / rows) * 100);
		if (worstRows > 0) table.put(`${key}/worstSize`, worstSize);
	}
	return table.numbers;
}
