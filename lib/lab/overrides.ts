import { CodedError } from "../base/index.js";
import type { ModelOverride, Profile } from "./profiles.js";
import { checkedProfile } from "./stored-profile.js";

type Value = number | boolean | string | readonly (number | string)[];

function numberIn(name: string, text: string): number {
	const value = Number(text);
	if (text.trim() !== "" && Number.isFinite(value)) return value;
	throw new CodedError("BAD_SETTING_VALUE", `${name} takes a number, got "${text}"`);
}

function isNumbers(value: unknown): boolean {
	return Array.isArray(value) && typeof value[0] === "number";
}

/** Reads text as the kind of value that the field has now. */
function valueLike(name: string, current: unknown, text: string): Value {
	if (typeof current === "number") return numberIn(name, text);
	if (typeof current === "string") return text;
	if (typeof current === "boolean") {
		if (text === "true" || text === "false") return text === "true";
		throw new CodedError("BAD_SETTING_VALUE", `${name} takes true or false, got "${text}"`);
	}
	const items = text.split(",").map((item) => item.trim());
	return isNumbers(current) ? items.map((item) => numberIn(name, item)) : items;
}

/**
 * A value set for the whole profile holds for every model, so what single models had of their own is dropped.
 */
function withoutOwn(perModel: Profile["perModel"], field: keyof ModelOverride): Profile["perModel"] {
	return Object.fromEntries(
		Object.entries(perModel).map(([model, own]): [string, ModelOverride] => {
			const { [field]: _, ...rest } = own;
			return [model, rest];
		}),
	);
}

/** `profile` with some values replaced, all of them checked. @throws {CodedError} `BAD_PROFILE` */
export function withValues(profile: Profile, values: Partial<Profile>): Profile {
	let { perModel } = { ...profile, ...values };
	if (values.perModel === undefined) {
		if (values.settings !== undefined) perModel = withoutOwn(perModel, "settings");
		if (values.rateMultiples !== undefined) perModel = withoutOwn(perModel, "rateMultiples");
		if (values.saturationSettings !== undefined) perModel = withoutOwn(perModel, "saturationSettings");
	}
	return checkedProfile({ ...profile, ...values, perModel }, `profile ${profile.name}`);
}

/**
 * Applies `name=value` texts: numbers, true or false, words, comma lists; `ft.rateMultiples=0.5,1.6` for one model.
 *
 * @throws {CodedError} `UNKNOWN_PROFILE_VALUE`, `BAD_SETTING_VALUE`, `BAD_PROFILE`
 */
export function applySet(profile: Profile, assignments: readonly string[]): Profile {
	let current = profile;
	for (const assignment of assignments) {
		const at = assignment.indexOf("=");
		if (at < 1) throw new CodedError("BAD_SETTING_VALUE", `--set takes name=value, got "${assignment}"`);
		current = assign(current, assignment.slice(0, at).trim(), assignment.slice(at + 1).trim());
	}
	return current;
}

function assign(profile: Profile, name: string, text: string): Profile {
	const own = /^(.+)\.(settings|rateMultiples|saturationSettings)$/.exec(name);
	if (own !== null) {
		const [, model = "", field = ""] = own;
		if (!profile.models.includes(model)) {
			const models = profile.models.join(", ");
			throw new CodedError("UNKNOWN_PROFILE_VALUE", `${name} is about no model of this profile; it has ${models}`);
		}
		const value = valueLike(name, field === "rateMultiples" ? [0] : [""], text);
		const perModel = { ...profile.perModel, [model]: { ...profile.perModel[model], [field]: value } };
		return checkedProfile({ ...profile, perModel }, `profile ${profile.name}`);
	}
	const fields = Object.entries(profile).filter(([field]) => field !== "perModel" && field !== "name");
	const known = fields.find(([field]) => field === name);
	if (known !== undefined) return withValues(profile, { [name]: valueLike(name, known[1], text) });
	const names = fields.map(([field]) => field).join(", ");
	throw new CodedError("UNKNOWN_PROFILE_VALUE", `a profile has no value "${name}"; it has ${names}`);
}
