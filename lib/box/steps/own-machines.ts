import type { Box } from "../box.js";
import { type Cloud, isYoung, type Machine } from "../cloud/cloud.js";

const BETWEEN_SECONDS = 5;
const LOOKS = 12;

/**
 * The machines of the project. After a launch whose answer is not known they are looked for again for a minute: a machine
 * that was rented by it may not be listed yet, and must not be forgotten.
 */
export async function projectMachines(box: Box, cloud: Cloud): Promise<readonly Machine[]> {
	const { name, launch } = box.state;
	const unanswered = launch !== undefined && launch.instanceId === undefined && isYoung(launch.at);
	for (let look = 1; ; look++) {
		const found = await cloud.machines();
		if (!unanswered || look >= LOOKS || found.some((machine) => machine.box === name)) return found;
		if (look === 1) box.say("a machine was asked for and the answer is not known: looking for it for a minute");
		await box.rest(BETWEEN_SECONDS);
	}
}
