import { ends } from "./arithmetic.js";
import type { Draft } from "./draft.js";

/** Answers of the service by model, controls left out. */
export function putAnswers(draft: Draft): void {
	const open = draft.facts.runs.filter((run) => run.kind === "open" && run.role !== "control");
	for (const model of new Set(draft.facts.runs.map((run) => run.model))) {
		let [runs, answered, inBatches, differing, maxUlp] = [0, 0, 0, 0, 0];
		for (const run of open) {
			if (run.model !== model) continue;
			runs++;
			answered += draft.of(run, "answered") ?? 0;
			inBatches += draft.of(run, "inBatches") ?? 0;
			differing += draft.of(run, "differing") ?? 0;
			maxUlp = Math.max(maxUlp, draft.of(run, "maxUlp") ?? 0);
		}
		for (const [name, value] of Object.entries({ runs, answered, inBatches, differing, maxUlp })) {
			draft.table.put(`answers/${model}/${name}`, value);
		}
	}
}

/** How quiet it was. */
export function putQuiet(draft: Draft): void {
	const found = { runs: 0, notQuiet: 0, drifted: 0, invalid: 0, late: 0, answers: 0, differing: 0 };
	let doubtful = 0;
	const [idle, steal, canary]: [number[], number[], number[]] = [[], [], []];
	for (const run of draft.facts.runs) {
		idle.push(run.quiet.idleShare * 100);
		if (run.stealShare !== null) steal.push(run.stealShare * 100);
		canary.push(run.canary.beforeNs + run.canary.afterNs);
		if (run.kind !== "open") continue;
		found.runs++;
		if (!run.quiet.quiet) found.notQuiet++;
		if (run.canary.drifted) found.drifted++;
		if (run.verdict === "INVALID") found.invalid++;
		if (run.verdict === "LATE") found.late++;
		if (run.canary.drifted || !run.quiet.quiet) doubtful++;
		found.answers += draft.of(run, "answered") ?? 0;
		found.differing += draft.of(run, "differing") ?? 0;
	}
	if (idle.length === 0) return;
	const [fast, slow] = ends(canary);
	for (const [name, value] of Object.entries(found)) draft.table.put(`quiet/${name}`, value);
	draft.table.put("quiet/doubtfulPercent", found.runs === 0 ? 0 : (doubtful / found.runs) * 100);
	draft.table.put("quiet/lowestIdlePercent", ends(idle)[0]);
	if (steal.length > 0) draft.table.put("quiet/largestStealPercent", ends(steal)[1]);
	draft.table.put("quiet/canarySpreadPercent", ((slow - fast) / fast) * 100);
}

/** Lines of the system log by source. */
export function putJournal(draft: Draft): void {
	const [lines, runs] = [new Map<string, number>(), new Map<string, number>()];
	let logIns = -1;
	for (const { quiet } of draft.facts.runs) {
		if (typeof quiet.logIns === "number") logIns = Math.max(logIns, quiet.logIns);
		if (typeof quiet.journal === "string") continue;
		for (const [source, count] of Object.entries(quiet.journal)) {
			lines.set(source, (lines.get(source) ?? 0) + count);
			runs.set(source, (runs.get(source) ?? 0) + (count > 0 ? 1 : 0));
		}
	}
	if (logIns >= 0) draft.table.put("quiet/mostLogIns", logIns);
	for (const [source, count] of lines) draft.table.put(`journal/${source}/lines`, count);
	for (const [source, count] of runs) draft.table.put(`journal/${source}/runs`, count);
}

/** Ratios of numbers that are in the table already. */
export function putRatios(draft: Draft): void {
	for (const [key, value] of [...draft.table.numbers]) {
		const deferred = /^saturation\/(.+)\/nomodel-deferred\/answersPerSecond$/.exec(key)?.[1];
		if (deferred !== undefined) {
			const once = draft.table.numbers.get(`saturation/${deferred}/nomodel/answersPerSecond`);
			draft.table.put(`controls/${deferred}/deferredTimes`, value / (once ?? Number.NaN));
		}
		const cell = /^sweep\/(.+)\/insideCounted$/.exec(key)?.[1];
		if (cell === undefined) continue;
		draft.table.put(
			`little/${cell}/ratio`,
			value / (draft.table.numbers.get(`sweep/${cell}/insideByLaw`) ?? Number.NaN),
		);
	}
}
