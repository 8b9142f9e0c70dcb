import { createHash } from "node:crypto";
import { z } from "zod";
import { CodedError } from "../base/index.js";
import type { RecordReader } from "../record/index.js";
import { designOf } from "./design-record.js";
import type { Profile } from "./profiles.js";

/** A day. Far more, and Node's timers, which count ms in 31 bits, would ring at once. */
const MOST_SECONDS = 86_400;
/** A thousand rounds of one run each take hours; a million would not even fit into a plan. */
const MOST_ROUNDS = 1000;

const positive = z.number().positive();
/** Of arrivals and counting: in less than this nothing is answered, and a record without answers has no S. */
const LEAST_SECONDS = 0.01;
const seconds = positive.max(MOST_SECONDS);
const secondsOrNone = z.number().nonnegative().max(MOST_SECONDS);
const whole = z.number().int().min(1);
const rounds = whole.max(MOST_ROUNDS);
const share = z.number().min(0).max(1);
const names = z.array(z.string().min(1)).min(1).readonly();
const rates = z.array(positive).min(1).readonly();

/** What a profile may be. Ranges that depend on each other are checked by `checkDesign`. */
const profileSchema: z.ZodType<Profile> = z
	.object({
		name: z.string().min(1),
		models: names,
		settings: names,
		againstItself: z.boolean(),
		controls: z.boolean(),
		rateMultiples: rates,
		perModel: z.record(
			z.string(),
			z
				.object({
					settings: names.exactOptional(),
					rateMultiples: rates.exactOptional(),
					saturationSettings: names.exactOptional(),
				})
				.strict(),
		),
		rounds,
		arrivalSeconds: seconds.min(LEAST_SECONDS),
		quietSeconds: seconds,
		quietIdleShare: share,
		quietWaitSeconds: secondsOrNone,
		quietPatienceSeconds: secondsOrNone,
		warmupSeconds: secondsOrNone,
		drainSeconds: seconds,
		connections: whole.max(512),
		closedConnections: whole.max(512),
		closedSeconds: seconds.min(LEAST_SECONDS),
		saturationSettings: names,
		saturationRounds: rounds,
		pace: z.enum(["each-round", "once"]),
		pacing: z.enum(["timer", "precise"]),
		topology: z.enum(["shared", "separate"]),
		canaryDrift: positive,
		rerunShare: share,
		stampsRound: z.number().int().min(0).max(MOST_ROUNDS),
		aloneSizes: z.array(whole.max(65_536)).min(1).readonly(),
		aloneRounds: rounds,
		aloneCalls: whole,
		aloneBudgetMs: positive.max(1000 * MOST_SECONDS),
		bitRows: z.number().int().min(0),
		bitSizes: z.array(whole.max(65_536)).readonly(),
		seed: z.number().int(),
	})
	.strict();

/**
 * A profile with its values checked one by one.
 *
 * @throws {CodedError} `BAD_PROFILE`, naming the first value that cannot be, and what could.
 */
export function checkedProfile(value: unknown, what = "the profile"): Profile {
	const result = profileSchema.safeParse(value);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	const path = issue?.path.join(".") ?? "";
	const field = path === "" ? what : `${path} of ${what}`;
	throw new CodedError("BAD_PROFILE", `${field}: ${issue?.message ?? "cannot be read"}`);
}

/** sha256 of a profile's design, as the record writes it. */
export function designHash(profile: Profile): string {
	return createHash("sha256")
		.update(JSON.stringify(designOf(profile)))
		.digest("hex");
}

/** The profile that a record was begun, or last continued, with; null for a record without a design. */
export function storedProfile(record: RecordReader): { readonly profile: Profile; readonly sha256: string } | null {
	const last = record
		.designs()
		.filter(({ name }) => name === "lab")
		.at(-1);
	if (last === undefined) return null;
	const { design, sha256 } = last;
	const stored = typeof design === "object" && design !== null && "profile" in design ? design.profile : undefined;
	return { profile: checkedProfile(stored, `the profile in ${record.path}`), sha256 };
}
