import { fact, prose } from "./prose.js";
import type { Report } from "./report.js";
import { code } from "./sections/context.js";
import type { ReportSource } from "./source.js";
import { table } from "./table.js";

/** How the single-row scores of one model compare between two records, bit by bit. */
export interface ScoreComparison {
	readonly model: string;
	/** True when both records scored with the same model file. */
	readonly sameModel: boolean;
	readonly compared: number;
	readonly equal: number;
	readonly maxUlp: number;
}

function singleBits(source: ReportSource, model: string): Uint32Array | undefined {
	const run = source.facts.runs.find((one) => one.model === model && !one.setting.startsWith("nomodel"));
	return run === undefined ? undefined : source.raw?.(run).singleBits;
}

const place = (bits: number) => (bits >= 0x80000000 ? 0x80000000 - bits : bits);

/** Compares the single-row scores that two records keep. Models that only one of them has are left out. */
export function compareScores(first: ReportSource, second: ReportSource): ScoreComparison[] {
	return first.facts.models.flatMap(({ name: model, sha256 }) => {
		const other = second.facts.models.find(({ name }) => name === model);
		const [a, b] = [singleBits(first, model), singleBits(second, model)];
		if (other === undefined || a === undefined || b === undefined) return [];
		const compared = Math.min(a.length, b.length);
		let [equal, maxUlp] = [0, 0];
		for (let i = 0; i < compared; i++) {
			const steps = Math.abs(place(a[i] ?? 0) - place(b[i] ?? 0));
			if (steps === 0) equal++;
			if (steps > maxUlp) maxUlp = steps;
		}
		return [{ model, sameModel: sha256 === other.sha256, compared, equal, maxUlp }];
	});
}

/** Two reports side by side: machines, scores, S, and every point that both have. Ratios, no verdicts: rounds do not pair across machines. */
export function twoReports(first: Report, second: Report, scores: readonly ScoreComparison[]): string {
	const machine = (report: Report) => {
		const row = report.facts.environments.at(-1);
		return row === undefined
			? "unknown"
			: code(`${row.cpu}, ${row.cores} cores, Node ${row.node}, ONNX Runtime ${row.onnxruntime}`);
	};
	const shared = [...first.numbers.keys()].filter(
		(key) =>
			second.numbers.has(key) &&
			/^(?:saturation\/.+\/answersPerSecond|alone\/.+\/(?:fixedUs|marginalUs)|sweep\/.+\/(?:p50Ms|p99Ms|highestKept))$/.test(
				key,
			),
	);
	const rows = shared.map((key) => {
		const [a, b] = [first.numbers.get(key) ?? Number.NaN, second.numbers.get(key) ?? Number.NaN];
		return [
			code(key),
			prose`${fact(`a/${key}`, a)}`,
			prose`${fact(`b/${key}`, b)}`,
			prose`${fact(`ratio/${key}`, b / a)}`,
		];
	});
	const scoreLines = scores.map(({ model, sameModel, compared, equal, maxUlp }) =>
		sameModel
			? prose`- ${code(model)}: the same model file; ${fact(`scores/${model}/equal`, equal)} of ${fact(`scores/${model}/compared`, compared)} single-row scores equal to the bit, the largest difference ${fact(`scores/${model}/maxUlp`, maxUlp)} units of the last place.`
			: `- ${code(model)}: different model files, so their scores are not compared.`,
	);
	const body =
		rows.length === 0 ? "The two records have no measured point in common." : table([["", "A", "B", "B / A"], ...rows]);
	const scored =
		scoreLines.length === 0 ? "- No scores to compare: one of the records keeps none." : scoreLines.join("\n");
	return `A: ${code(first.path)}, ${machine(first)}\nB: ${code(second.path)}, ${machine(second)}\n\n${scored}\n\n${body}`;
}
