import type { FinishedRun } from "../record/index.js";
import { durationText, untilText } from "./plan.js";
import type { RunSpec } from "./run/spec.js";

/** `gbt b32w2 at 1.6 S`, `gbt none again at 0.5 S`, `gbt none, closed loop`. */
export function specText(spec: Pick<RunSpec, "model" | "setting" | "role" | "rateMultiple">): string {
	const again = spec.role === "aa" ? " again" : "";
	const rate = spec.rateMultiple === null ? ", closed loop" : ` at ${spec.rateMultiple} S`;
	return `${spec.model} ${spec.setting}${again}${rate}`;
}

function figure(run: FinishedRun, name: string): number | null {
	const value = run.summary[name];
	return typeof value === "number" ? value : null;
}

/** What a run found, short: `1,757/s answered, p50 1.18 ms, p99 5.47 ms, kept up`. */
export function resultText(run: FinishedRun): string {
	const rate = figure(run, "answeredPerSecond");
	const parts = [rate === null ? null : `${Math.round(rate).toLocaleString("en")}/s answered`];
	for (const name of ["p50", "p99"]) {
		const ms = figure(run, `${name}Ms`);
		if (run.kind === "open" && ms !== null) parts.push(`${name} ${ms.toPrecision(3)} ms`);
	}
	if (run.kind === "open") parts.push(run.summary.keepsUp === true ? "kept up" : "fell behind");
	if (run.verdict !== "VALID") parts.push(run.verdict);
	if (run.canary.drifted) parts.push("drifted");
	if (!run.quiet.quiet) parts.push("not quiet");
	return parts.filter((part) => part !== null).join(", ");
}

/** The line of a finished run: `RUN 37/605 round 2, gbt b32w2 at 1.6 S: …; 1 h 5 min left, until 14:32`. */
export function runLine(count: string, spec: RunSpec, run: FinishedRun, leftSeconds: number): string {
	const left = leftSeconds > 0 ? `; ${durationText(leftSeconds)} left, until ${untilText(leftSeconds)}` : "";
	return `RUN ${count} round ${spec.round}, ${specText(spec)}: ${resultText(run)}${left}`;
}
