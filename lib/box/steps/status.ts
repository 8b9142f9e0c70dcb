import type { Step } from "../box.js";
import { isDone, STEP_NAMES } from "../state/situation.js";

export const status: Step = {
	name: "status",
	does: "says what state things are in, from the state file alone",
	needs: [],
	looks: true,
	plan: () => ["read the state file"],
	async run(box) {
		const done = STEP_NAMES.filter((step) => step !== "status" && step !== "cost" && isDone(box.state, step));
		return {
			message: `done: ${done.length === 0 ? "nothing yet" : done.join(", ")}`,
			data: { done, state: box.state },
		};
	},
};
