import { CodedError } from "../base/index.js";
import { LOOKUP_FUNCTION, type LookupEntry, lookUp, lookupEntries } from "./lookup.js";
import type { Report } from "./report.js";
import { keyOf } from "./sections/context.js";

/** How many points a box tests itself on. */
const SELF_TESTS = 6;

/**
 * Runs the box's own function on six of its points, spread over all, and holds every line against the report's numbers.
 *
 * @returns how many were tested: six, or all where there are fewer.
 * @throws {CodedError} `LOOKUP_SELF_TEST`, exit code 1.
 */
export function selfTest(report: Report, entries = lookupEntries(report)): number {
	const batched = entries.filter(({ setting }) => setting !== "none");
	const step = Math.max(1, batched.length / SELF_TESTS);
	const chosen = Array.from({ length: Math.min(SELF_TESTS, batched.length) }, (_, i) => batched[Math.floor(i * step)]);
	for (const entry of chosen) {
		if (entry === undefined) continue;
		const { found, lines } = lookUp(entries, entry);
		const expected = entries.some(
			(other) => other.setting === "none" && other.model === entry.model && other.rateMultiple === entry.rateMultiple,
		)
			? ["none", entry.setting]
			: [entry.setting];
		const right =
			found &&
			lines.length === expected.length &&
			expected.every((setting, i) => says(lines[i] ?? "", setting, report, { ...entry, setting }));
		if (!right) {
			throw new CodedError(
				"LOOKUP_SELF_TEST",
				`the look-up box says "${lines.join(" | ")}" of ${entry.model} ${entry.setting} at ${entry.rateMultiple} S, which is not what the report computed`,
				{ exitCode: 1 },
			);
		}
	}
	return chosen.length;
}

/** True when a line names the setting and prints the report's own p50 and p99. */
function says(
	line: string,
	setting: string,
	report: Report,
	cell: Pick<LookupEntry, "model" | "setting" | "rateMultiple">,
): boolean {
	const printed = (name: string, label: string) => {
		const value = report.numbers.get(`${keyOf(cell)}/${name}`);
		const found = new RegExp(`${label} ([\\d.e+-]+|too few samples)`).exec(line)?.[1];
		if (value === undefined) return found === "too few samples";
		return found !== undefined && Math.abs(Number(found) / value - 1) < 0.006;
	};
	return line.startsWith(`${setting} at ${cell.rateMultiple} S`) && printed("p50Ms", "p50") && printed("p99Ms", "p99");
}

const choice = (name: string, label: string, values: readonly (string | number)[]) =>
	`<label>${label} <select data-dial="${name}">${values.map((value) => `<option>${String(value).replace(/[<&"]/g, "")}</option>`).join("")}</select></label>`;

/**
 * The box for a page: choose model, B, W and rate; it prints what was measured, `none` at the same rate first. It has
 * no model and no clock. Tested on six points before it is given out. Where scripts are not run, one line says so.
 *
 * @param entries what can be looked up; all of the report's points
 * @throws {CodedError} `LOOKUP_SELF_TEST`
 */
export function lookupBox(
	report: Report,
	entries = lookupEntries(report),
): {
	readonly html: string;
	readonly entries: readonly LookupEntry[];
	readonly selfTests: number;
} {
	const selfTests = selfTest(report, entries);
	const ascending = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b);
	const batched = entries.filter(({ setting }) => setting !== "none");
	const dials = [
		choice("model", "model", [...new Set(entries.map(({ model }) => model))]),
		choice("maxBatchSize", "B", ascending(batched.map(({ maxBatchSize }) => maxBatchSize))),
		choice("maxWaitMs", "W, ms", ascending(batched.map(({ maxWaitMs }) => maxWaitMs))),
		choice("rateMultiple", "rate, × S", ascending(entries.map(({ rateMultiple }) => rateMultiple))),
	].join(" ");
	const data = JSON.stringify(entries, (_, value: unknown) =>
		typeof value === "number" ? Number(value.toPrecision(6)) : value,
	).replace(/</g, "\\u003c");
	const script = `(()=>{const box=document.currentScript?document.currentScript.previousElementSibling:document.querySelector(".batching-lookup:not([data-ready])");if(!box)return;box.dataset.ready="1";
const entries=${data};${LOOKUP_FUNCTION}
const out=box.querySelector("pre"),show=()=>{const q={};for(const s of box.querySelectorAll("select"))q[s.dataset.dial]=s.dataset.dial==="model"?s.value:Number(s.value);out.textContent=lookUp(entries,q).lines.join("\\n")};
box.addEventListener("change",show);show()})()`;
	const html = `<div class="batching-lookup">${dials}<pre style="white-space:pre-wrap">Here scripts are not run, so the box cannot answer. In Jupyter, trust the notebook (File, Trust Notebook) and open it again; or ask in a terminal: npx workbook lookup outputs/latest --max-batch-size 32 --max-wait-ms 0 --rate-multiple 0.5</pre></div><script>${script}</script>`;
	return { html, entries, selfTests };
}
