import type { LabRun } from "../lab/index.js";
import { fact, prose } from "../report/index.js";
import { ROUNDS_FOR_A_VERDICT } from "../stats/index.js";
import { tell } from "./tell.js";

const WORTH: Readonly<Record<"once" | "few" | "enough", string>> = {
	once: "That shows that everything works, and no more: one measurement can be luck.",
	few: "That is enough to see the story and too little to prove it; notebook `05` says why.",
	enough: "That is enough for a verdict where all of them agree; notebook `05` says why.",
};

/** Which profile the pages below were made with, and what it can and cannot decide. */
export function aboutProfile({ profile }: Pick<LabRun, "profile">): void {
	const { rounds } = profile;
	const measured =
		rounds === 1 ? "once" : prose`in ${fact("plan/rounds", rounds)} **rounds**; each round measures everything once`;
	const worth = rounds === 1 ? "once" : rounds < ROUNDS_FOR_A_VERDICT ? "few" : "enough";
	tell(
		`What you read was made with the profile \`${profile.name}\`, which measures the service ${measured}. ${WORTH[worth]}`,
	);
}
