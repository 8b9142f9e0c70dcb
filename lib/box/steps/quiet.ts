import { now, type Step } from "../box.js";
import { QUIET, RESTORE } from "../scripts/quiet.js";

const lines = (text: string) => text.split("\n").filter((line) => line !== "");

export const quiet: Step = {
	name: "quiet",
	does: "stops timers, cron and updates (--restore starts them again)",
	needs: ["verify"],
	plan: ({ options }) =>
		options.restore
			? ["sudo systemctl start of everything that was stopped"]
			: [
					"sudo systemctl stop of every active timer, cron, at, unattended upgrades, snapd and the cloud's agents",
					"keep their names on the box and in the state, so that --restore can start them",
				],
	async run(box) {
		const { name } = box.state;
		if (box.options.restore) {
			const started = lines(await box.remote().run(RESTORE, [name]));
			box.update({ quiet: undefined });
			return {
				message: started.length === 0 ? "nothing was stopped" : `started again: ${started.join(", ")}`,
				data: { started },
			};
		}
		const stopped = lines(await box.remote().run(QUIET, [name]));
		box.update({ quiet: { at: now(), stopped } });
		return {
			message: stopped.length === 0 ? "nothing to stop" : `stopped, all in all: ${stopped.join(", ")}`,
			data: { stopped },
		};
	},
};
