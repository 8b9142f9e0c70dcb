import type { BitCheckRow, ModelAloneRow } from "../../record/index.js";
import { fitPerCall, medianBySize, overRounds, plateauSize } from "../../stats/index.js";
import { modelsOf } from "../cells.js";
import { type Numbers, NumberTable } from "../numbers.js";

/** Part A: per-call and per-row times, the line a + b·n, the plateau. */
export function aloneNumbers(rows: readonly ModelAloneRow[]): Numbers {
	const table = new NumberTable();
	for (const model of modelsOf(rows)) {
		const own = rows.filter((row) => row.model === model);
		const points = own.flatMap(({ round, sizes }) =>
			sizes.map(({ size, p50Ns }) => ({ size, us: p50Ns / 1000, round })),
		);
		const bySize = medianBySize(points);
		const single = bySize.find(({ size }) => size === 1)?.us;
		const key = `alone/${model}`;
		table.put(`${key}/rounds`, own.length);
		for (const { size, us } of bySize) {
			table.put(`${key}/${size}/size`, size);
			table.put(`${key}/${size}/callUs`, us);
			table.put(`${key}/${size}/rowUs`, us / size);
			const { min, max } = overRounds(points.filter((point) => point.size === size).map((point) => point.us));
			table.put(`${key}/${size}/callUsLow`, min);
			table.put(`${key}/${size}/callUsHigh`, max);
			if (single !== undefined) table.put(`${key}/${size}/cheaperTimes`, single / (us / size));
			if (single !== undefined) table.put(`${key}/${size}/timesOneCall`, us / single);
			const half = bySize.find((other) => other.size * 2 === size);
			if (half !== undefined) table.put(`${key}/${size}/savedPercent`, 100 * (1 - us / size / (half.us / half.size)));
		}
		if (bySize.length < 2) continue;
		const { fixedUs, marginalUs, intervals, residuals } = fitPerCall(points);
		table.put(`${key}/fixedUs`, fixedUs);
		table.put(`${key}/marginalUs`, marginalUs);
		table.put(`${key}/fixedUsLow`, intervals?.fixedUs.low);
		table.put(`${key}/fixedUsHigh`, intervals?.fixedUs.high);
		table.put(`${key}/marginalUsLow`, intervals?.marginalUs.low);
		table.put(`${key}/marginalUsHigh`, intervals?.marginalUs.high);
		table.put(`${key}/largestResidualPercent`, 100 * Math.max(...residuals.map(({ share }) => Math.abs(share))));
		if (single !== undefined) table.put(`${key}/fixedSharePercent`, (100 * fixedUs) / single);
		table.put(`${key}/plateauSize`, plateauSize(points));
		const compared = Math.min(32, bySize.at(-1)?.size ?? 1);
		const company = bySize.find(({ size }) => size === compared);
		if (single !== undefined && company !== undefined) table.put(`${key}/savedUsAt32`, single - company.us / compared);
	}
	return table.numbers;
}

/** The bit check with one thread, as the service runs. */
export function bitNumbers(checks: readonly BitCheckRow[]): Numbers {
	const table = new NumberTable();
	for (const check of checks.filter(({ threads }) => threads === 1)) {
		const key = `bits/${check.model}`;
		table.put(`${key}/rows`, check.rows);
		table.put(`${key}/distinctScores`, check.distinctScores);
		table.put(`${key}/sizes`, check.sizes.length);
		table.put(`${key}/sizesThatDiffer`, check.sizes.filter(({ differingRows }) => differingRows > 0).length);
		for (const { size, differingRows } of check.sizes) {
			table.put(`${key}/${size}/size`, size);
			table.put(`${key}/${size}/differingRows`, differingRows);
		}
		const worst = check.sizes.reduce<(typeof check.sizes)[number] | undefined>(
			(a, b) => (a === undefined || b.differingRows > a.differingRows ? b : a),
			undefined,
		);
		if (worst === undefined) continue;
		table.put(`${key}/maxUlp`, Math.max(...check.sizes.map(({ maxUlp }) => maxUlp)));
		table.put(`${key}/maxAbs`, Math.max(...check.sizes.map(({ maxAbs }) => maxAbs)));
		table.put(`${key}/worstDifferingRows`, worst.differingRows);
		table.put(`${key}/worstPercent`, (100 * worst.differingRows) / check.rows);
		if (worst.differingRows > 0) table.put(`${key}/worstSize`, worst.size);
	}
	return table.numbers;
}
