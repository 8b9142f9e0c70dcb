import { checkedProfile, type Profile, paceRuns, planSaturation, timePlan, warmupSecondsOf } from "../lab/index.js";
import { KEEPS_UP_SHARE, ROUNDS_FOR_A_VERDICT, smallestP } from "../stats/index.js";
import type { Computed } from "./compute.js";
import { REFERENCES } from "./reference.js";
import type { RecordFacts } from "./source.js";

/** Numbers that are rules or definitions, not results: they are the same in every record. */
const RULES: Readonly<Record<string, number>> = {
	keepsUpPercent: 100 * KEEPS_UP_SHARE,
	pileUpPercent: 100 * (1 - KEEPS_UP_SHARE),
	roundsForAVerdict: ROUNDS_FOR_A_VERDICT,
	plateauPercent: 10,
	comparedSize: 32,
	lessonHighestRate: 2.5,
	clumpWindowMs: 3,
	momentGapMs: 50,
	slowestPercent: 1,
	readerTolerancePercent: 25,
	binPercent: 0.1,
};

/** What a key stands for. `several`: it was true at different times of the record (the load of the machine). */
export type Resolved =
	| { readonly kind: "number"; readonly value: number }
	| { readonly kind: "several"; readonly values: readonly number[] }
	| { readonly kind: "virtual" }
	| { readonly kind: "unknown" };

const number = (value: number | undefined): Resolved =>
	value === undefined || Number.isNaN(value) ? { kind: "unknown" } : { kind: "number", value };

function machine(name: string, facts: RecordFacts): Resolved {
	const pick: Readonly<Record<string, (row: RecordFacts["environments"][number]) => number | undefined>> = {
		cores: ({ cores }) => cores,
		threads: ({ threads }) => threads,
		memoryGib: ({ memoryBytes }) => memoryBytes / 2 ** 30,
		load: ({ loadAverage }) => loadAverage[0],
	};
	const of = Object.hasOwn(pick, name) ? pick[name] : undefined;
	const values = of === undefined ? [] : facts.environments.flatMap((row) => of(row) ?? []);
	return values.length === 0 ? { kind: "unknown" } : { kind: "several", values };
}

function reference(id: string): Resolved {
	const [one = "", other] = id
		.split("~")
		.map((part) => (part.startsWith("lesson-") || part.startsWith("guide-") ? part : `lesson-${part}`));
	const first = REFERENCES.get(one)?.value;
	if (other === undefined || first === undefined) return number(first);
	const second = REFERENCES.get(other)?.value;
	return number(second === undefined ? undefined : first - second);
}

/** What the plan of the record's own profile says; undefined where the record has no readable profile. */
function plan(name: string, facts: RecordFacts): Resolved {
	const design = facts.designs.filter((row) => row.name === "lab").at(-1)?.design;
	if (typeof design !== "object" || design === null || !("profile" in design)) return { kind: "unknown" };
	let profile: Profile;
	try {
		profile = checkedProfile(design.profile);
	} catch {
		return { kind: "unknown" };
	}
	const { runs, expectedSeconds, atMostSeconds } = timePlan(profile);
	const { rounds, arrivalSeconds, saturationRounds, closedSeconds, closedConnections } = profile;
	const pace = paceRuns(profile);
	const known: Readonly<Record<string, number>> = {
		...{ runs, expectedSeconds, atMostSeconds, rounds, arrivalSeconds, saturationRounds, closedSeconds },
		...{ warmupSeconds: warmupSecondsOf(profile, "closed"), closedConnections, paceRuns: pace, openRuns: runs - pace },
		saturationRuns: planSaturation(profile, profile.models).length / saturationRounds,
	};
	return number(Object.hasOwn(known, name) ? known[name] : undefined);
}

/** A rule's number; what luck does with so many rounds is one for any number of rounds. */
function rule(name: string): Resolved {
	const rounds = /^luckPercent\/(\d+)$/.exec(name)?.[1];
	if (rounds !== undefined) return number(100 * smallestP(Number(rounds)));
	return number(Object.hasOwn(RULES, name) ? RULES[name] : undefined);
}

/** Worked out from two numbers of the record, or of its runs: `minus/A;B`, `ratio/A;B`. */
function fromTwo(family: "minus" | "ratio", name: string, resolve: (key: string) => Resolved): Resolved {
	const [a, b] = name.split(";").map((key) => {
		const part = resolve(key);
		return part.kind === "number" ? part.value : undefined;
	});
	if (a === undefined || b === undefined) return { kind: "unknown" };
	return number(family === "minus" ? a - b : a / b);
}

/** What a run was planned with, besides what it came to. */
function planned(id: number, name: string, facts: RecordFacts): number | undefined {
	const run = facts.runs.find((one) => one.id === id);
	const known: Readonly<Record<string, number | null | undefined>> = {
		ratePerSecond: run?.ratePerSecond,
		saturationPerSecond: run?.saturationPerSecond,
		round: run?.round,
		seconds: run?.seconds,
	};
	return (Object.hasOwn(known, name) ? known[name] : undefined) ?? undefined;
}

/** The number behind every key that prose may use, for one record. */
export function resolver(
	{ numbers, runs }: Pick<Computed, "numbers" | "runs">,
	facts: RecordFacts,
): (key: string) => Resolved {
	const rates = new Set(facts.runs.flatMap(({ rateMultiple }) => rateMultiple ?? []));
	const resolve = (key: string): Resolved => {
		const [family = "", ...rest] = key.split("/");
		const name = rest.join("/");
		const known = numbers.get(key);
		if (known !== undefined) return { kind: "number", value: known };
		if (family === "minus" || family === "ratio") return fromTwo(family, name, resolve);
		if (family === "virtual") return { kind: "virtual" };
		if (family === "plan") return plan(name, facts);
		if (family === "asked") return number(Number(/w([\d.]+)$/.exec(name)?.[1] ?? Number.NaN));
		if (family === "run") {
			const [id, quantity = ""] = [Number(rest[0]), rest[1]];
			return number(runs.get(id)?.get(quantity) ?? planned(id, quantity, facts));
		}
		if (family === "reference") return reference(name);
		if (family === "rule") return rule(name);
		if (family === "machine") return machine(name, facts);
		if (family === "rate") return number(rates.has(Number(name.slice(1))) ? Number(name.slice(1)) : undefined);
		if (family === "model") {
			const model = facts.models.find((row) => name === `${row.name}/averagePrecision`);
			return number(model?.averagePrecision ?? undefined);
		}
		if (family === "alone" && name.endsWith("/fixedTimesLess")) {
			const fixed = numbers.get(key.replace("/fixedTimesLess", "/fixedUs"));
			return number(fixed === undefined ? undefined : (REFERENCES.get("lesson-077")?.value ?? Number.NaN) / fixed);
		}
		return { kind: "unknown" };
	};
	return resolve;
}
