import type { BoxState } from "./schema.js";

/** Every step, in the order of the lesson. */
export const STEP_NAMES = [
	"check",
	"access",
	"launch",
	"wait",
	"setup",
	"verify",
	"quiet",
	"start",
	"watch",
	"demo",
	"fetch",
	"report",
	"teardown",
	"cost",
	"status",
] as const;
export type StepName = (typeof STEP_NAMES)[number];

/** Steps that rent, which a machine of one's own has no need of. */
export const CLOUD_STEPS: ReadonlySet<StepName> = new Set(["access", "launch"]);

/** True when the results of the newest start are at home and verified. */
export function resultsSafe({ start, fetch }: BoxState): boolean {
	return fetch !== undefined && (start === undefined || fetch.startId === start.id);
}

/** True when deleting the box could lose something: a start was asked for and its results are not safe. */
export function resultsAtRisk(state: BoxState): boolean {
	return state.start !== undefined && !resultsSafe(state);
}

/** Whether a step's work stands, as far as the state knows. */
export function isDone(state: BoxState, step: StepName): boolean {
	if (state.provider === "ssh" && CLOUD_STEPS.has(step)) return true;
	switch (step) {
		case "check":
			return state.check !== undefined;
		case "access":
			return state.access?.open === true;
		case "launch":
			return state.launch?.instanceId !== undefined && state.launch.endedAt === undefined;
		case "wait":
			return state.wait !== undefined;
		case "setup":
			return state.setup !== undefined;
		case "verify":
			return state.verify !== undefined;
		case "quiet":
			return state.quiet !== undefined;
		case "start":
			return state.start?.confirmed === true;
		case "watch":
			return state.start?.exitCode !== undefined;
		case "demo":
			return state.demo !== undefined;
		case "fetch":
			return resultsSafe(state);
		case "report":
			return state.report !== undefined && state.report.folder === state.fetch?.folder;
		case "teardown":
			return state.teardown !== undefined;
		default:
			return false;
	}
}

/** The step to run next; null when everything is at home and nothing is left. */
export function nextStep(state: BoxState): StepName | null {
	if (state.teardown !== undefined) return state.fetch !== undefined && !isDone(state, "report") ? "report" : null;
	if (state.launch?.endedAt !== undefined) return "teardown";
	const order: readonly StepName[] = [
		"check",
		"access",
		"launch",
		"wait",
		"setup",
		"verify",
		"quiet",
		"start",
		"watch",
		"fetch",
		"report",
		"teardown",
	];
	// a machine that could not be made quiet may have been started all the same: quieting it now would disturb the run
	const underWay = state.start !== undefined && isDone(state, "verify") && isDone(state, "wait");
	const ahead = underWay ? order.slice(order.indexOf("start")) : order;
	return ahead.find((step) => !isDone(state, step)) ?? "teardown";
}

/** One sentence: what state things are in. */
export function situation(state: BoxState): string {
	const { name, provider, region, launch, login, start, fetch } = state;
	const parts: string[] = [];
	if (state.teardown !== undefined) parts.push("torn down");
	else if (provider === "ec2") {
		if (launch === undefined)
			parts.push(isDone(state, "access") ? "key and door ready, nothing rented" : "nothing rented");
		else if (launch.instanceId === undefined) parts.push("a machine was asked for, the answer is not known");
		else if (launch.endedAt !== undefined) parts.push(`instance ${launch.instanceId} is gone`);
		else
			parts.push(
				`instance ${launch.instanceId} is rented${state.wait === undefined ? "" : ` and answers at ${login?.host}`}`,
			);
	} else {
		parts.push(state.wait === undefined ? "not logged in to yet" : `answers at ${login?.user}@${login?.host}`);
	}
	if (state.teardown === undefined) {
		if (isDone(state, "verify")) parts.push("set up and verified");
		else if (isDone(state, "setup")) parts.push("set up, files not verified");
		if (isDone(state, "quiet")) parts.push("quiet");
	}
	if (start !== undefined) {
		const run = `run ${start.id}`;
		if (!start.confirmed) parts.push(`${run} was sent, the answer is not known`);
		else if (start.exitCode === undefined) parts.push(`${run} started`);
		else if (start.exitCode === 0) parts.push(`${run} finished`);
		else parts.push(`${run} failed (${start.exitCode < 0 ? "it died" : `exit code ${start.exitCode}`})`);
		parts.push(resultsSafe(state) ? `results safe in ${fetch?.folder}` : "results not at home");
	}
	return `box "${name}" (${provider}${region === undefined ? "" : `, ${region}`}): ${parts.join("; ")}`;
}
