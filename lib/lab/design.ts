import { CodedError, deriveSeed, seededRandom, shuffled } from "../base/index.js";
import type { RunRole } from "../record/index.js";
import { parseSetting } from "../service/index.js";
import type { Profile } from "./profiles.js";

/** One setting at one rate in one round. */
export interface PlannedRun {
	readonly model: string;
	readonly setting: string;
	readonly role: Exclude<RunRole, "pace">;
	readonly round: number;
	/** Place in the round's shuffled order, from 1. */
	readonly position: number;
	readonly rateMultiple: number;
	/** Of the arrivals: the same for every setting of a model, round and rate, so all of them meet the same traffic. */
	readonly seed: number;
}

/** The settings that the sweep of one model compares, with their roles. */
export function settingsOf(
	profile: Profile,
	model: string,
): readonly { readonly setting: string; readonly role: PlannedRun["role"] }[] {
	const settings = profile.perModel[model]?.settings ?? profile.settings;
	return [
		...settings.map((setting) => ({ setting, role: roleOf(setting) })),
		...(profile.againstItself ? [{ setting: "none", role: "aa" as const }] : []),
		...(profile.controls ? CONTROLS.map((setting) => ({ setting, role: "control" as const })) : []),
	];
}

export function ratesOf(profile: Profile, model: string): readonly number[] {
	return profile.perModel[model]?.rateMultiples ?? profile.rateMultiples;
}

/** The settings whose saturation is measured with one model. */
export function saturationSettingsOf(profile: Profile, model: string): readonly string[] {
	return profile.perModel[model]?.saturationSettings ?? profile.saturationSettings;
}

const CONTROLS = ["nomodel", "nomodel-deferred"] as const;

function roleOf(setting: string): "setting" | "control" {
	return parseSetting(setting).kind.startsWith("nomodel") ? "control" : "setting";
}

function refuseTwice(what: string, values: readonly (string | number)[]): void {
	const twice = values.find((value, i) => values.indexOf(value) !== i);
	if (twice !== undefined) throw new CodedError("BAD_DESIGN", `${what} ${twice} is there twice`);
	if (values.length === 0) throw new CodedError("BAD_DESIGN", `a design needs at least one ${what}`);
}

/**
 * Refuses a design that means nothing: no `none` to compare with, a setting or a rate twice, B = 1 with a wait.
 *
 * @throws {CodedError} `BAD_DESIGN`, `UNKNOWN_SETTING`, `WAIT_WITHOUT_BATCH`
 */
export function checkDesign(profile: Profile): void {
	refuseTwice("model", profile.models);
	for (const model of profile.models) {
		refuseTwice("saturation setting", saturationSettingsOf(profile, model));
		for (const setting of saturationSettingsOf(profile, model)) parseSetting(setting);
		const entries = settingsOf(profile, model);
		refuseTwice(
			"setting",
			entries.map(({ setting, role }) => (role === "aa" ? `${setting} again` : setting)),
		);
		refuseTwice("rate multiple", ratesOf(profile, model));
		if (!entries.some(({ setting, role }) => setting === "none" && role === "setting")) {
			throw new CodedError("BAD_DESIGN", `the settings of ${model} lack none; every setting is compared with it`);
		}
		const bad = ratesOf(profile, model).find((rate) => !(rate > 0));
		if (bad !== undefined) throw new CodedError("BAD_DESIGN", `a rate multiple is above 0, got ${bad}`);
	}
}

/**
 * The runs of a sweep, round by round. Inside a round all models, settings and rates go in one order, shuffled by
 * the profile's seed, so a slow minute hits them alike.
 */
export function planSweep(profile: Profile): readonly (readonly PlannedRun[])[] {
	checkDesign(profile);
	return Array.from({ length: profile.rounds }, (_, index) => {
		const round = index + 1;
		const runs = profile.models.flatMap((model) =>
			ratesOf(profile, model).flatMap((rateMultiple) => {
				const seed = deriveSeed(profile.seed, "arrivals", model, round, rateMultiple);
				return settingsOf(profile, model).map((entry) => ({ model, ...entry, round, rateMultiple, seed }));
			}),
		);
		const random = seededRandom(deriveSeed(profile.seed, "order", round));
		return shuffled(runs, random).map((run, place) => ({ ...run, position: place + 1 }));
	});
}
