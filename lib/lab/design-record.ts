import type { Json } from "../record/index.js";
import { planSweep } from "./design.js";
import type { Profile } from "./profiles.js";

/** The rules that hold whatever the profile; they are part of what was fixed beforehand. */
const RULES = {
	latency: "from the scheduled arrival",
	keepsUp: "answers at least 95 % as fast as requests arrive",
	toldApart: "all rounds agree in sign, on the same arrivals, at least five rounds",
	order: "shuffled inside a round, by the profile's seed",
	arrivals: "Poisson, from a seed of model, round and rate: the same for every setting",
	plateau: "first size at which doubling saves less than 10 % a row",
	bits: "no tolerance; where the model's bit check was identical, one differing answer makes a run INVALID",
	drift: "a run whose canary drifted is measured again at the round's end; beyond the allowance its comparison is void",
};

/** What was fixed before measuring, as the record keeps it: the profile, the rules, and the order of every round. */
export function designOf(profile: Profile): Json {
	const rounds = planSweep(profile).map((round) =>
		round.map(({ model, setting, role, rateMultiple }) => `${model} ${setting} ${role} x${rateMultiple}`),
	);
	return { profile: JSON.parse(JSON.stringify(profile)), rules: RULES, rounds };
}
