import { rmSync } from "node:fs";
import { join } from "node:path";
import { CodedError } from "../../base/index.js";
import { type Box, now, type Outcome, type Step } from "../box.js";
import { type Cloud, isYoung } from "../cloud/cloud.js";
import { CONFIG_FILE, KEY_FILE, KNOWN_HOSTS } from "../remote/ssh-config.js";
import { END_RUN, REMOVE } from "../scripts/end.js";
import { RESTORE } from "../scripts/quiet.js";
import { projectMachines } from "./own-machines.js";
import { checkAllHome, checkKnown, checkSafe } from "./safe.js";

const BETWEEN_SECONDS = 5;
const MOST_LOOKS = 60;

async function terminateAll(box: Box, cloud: Cloud): Promise<number> {
	const { name, launch } = box.state;
	const ended = new Set<string>();
	for (let look = 0; ; look++) {
		const listed = look === 0 ? await projectMachines(box, cloud) : await cloud.machines(name);
		const found = new Map(listed.filter((one) => one.box === name).map(({ id, state }) => [id, state]));
		// the list of machines may lag behind a launch; the one that is known is asked for by its id
		const id = launch?.instanceId;
		if (id !== undefined) {
			const own = await cloud.machine(id);
			if (own !== undefined && own.state !== "terminated") found.set(id, own.state);
			else if (own === undefined && isYoung(launch?.at ?? "")) found.set(id, "not listed yet");
		}
		if (found.size === 0) return ended.size;
		const alive = [...found].filter(([, state]) => state !== "shutting-down").map(([one]) => one);
		await cloud.terminate(alive);
		for (const one of alive) ended.add(one);
		if (look >= MOST_LOOKS) {
			throw new CodedError(
				"TEARDOWN_INCOMPLETE",
				`still there: ${[...found].map(([id, state]) => `${id} (${state})`).join(", ")}`,
				{
					exitCode: 1,
				},
			);
		}
		box.say(`${[...found.keys()].join(", ")}: ending`);
		await box.rest(BETWEEN_SECONDS);
	}
}

async function teardownCloud(box: Box): Promise<Outcome> {
	const cloud = await box.cloud();
	const { name, launch, fetch } = box.state;
	if (!box.options.discard) await checkKnown(box, cloud);
	const machines = await terminateAll(box, cloud);
	if (launch?.instanceId !== undefined && launch.endedAt === undefined)
		box.update({ launch: { ...launch, endedAt: now() } });
	for (let look = 0; !(await cloud.deleteGroup(name)) && look < MOST_LOOKS; look++) await box.rest(BETWEEN_SECONDS);
	await cloud.deleteKey(name);
	let left = await cloud.leftovers(name);
	for (let look = 0; left.length > 0 && left.every((one) => one.startsWith("disk")) && look < MOST_LOOKS; look++) {
		await box.rest(BETWEEN_SECONDS); // a disk goes a little after its machine
		left = await cloud.leftovers(name);
	}
	if (left.length > 0) {
		throw new CodedError("TEARDOWN_INCOMPLETE", `still there: ${left.join(", ")}`, { exitCode: 1 });
	}
	forgetLogin(box);
	box.update({ teardown: { at: now() } });
	const kept = fetch === undefined ? "" : `; results in ${fetch.folder}`;
	return {
		message: `deleted ${machines} machine${machines === 1 ? "" : "s"}, the group and the key; looked again: nothing is left in ${cloud.region}${kept}`,
		data: { left: [] },
	};
}

function forgetLogin(box: Box): void {
	for (const file of [KEY_FILE, `${KEY_FILE}.pub`, KNOWN_HOSTS, CONFIG_FILE])
		rmSync(join(box.folder, file), { force: true });
}

async function teardownHost(box: Box): Promise<Outcome> {
	const { name } = box.state;
	if (box.state.teardown !== undefined) return { message: "torn down already", data: { left: [] } };
	if (box.state.wait !== undefined) {
		const remote = box.remote();
		if (box.options.discard) await remote.run(END_RUN, [name]);
		else await checkAllHome(box);
		// whatever the state knows: an answer of `quiet` that was lost must not leave a machine without its timers
		await remote.run(RESTORE, [name]);
		box.update({ quiet: undefined });
		await remote.run(REMOVE, [name]);
	}
	forgetLogin(box);
	box.update({ teardown: { at: now() } });
	return {
		message: "timers start again as before, and the box's folder is deleted; the machine is as it was",
		data: { left: [] },
	};
}

export const teardown: Step = {
	name: "teardown",
	does: "deletes everything, once the results are safe (or --discard)",
	needs: [],
	plan: ({ state, options }) => [
		options.discard
			? "results that are not at home are lost"
			: "refuse unless results are at home and as they were verified",
		...(state.provider === "ssh"
			? [
					options.discard ? "end a run that goes on there" : "sha256 of every result there: each must be at home",
					"start again what quiet stopped; delete the box's folder there",
				]
			: [
					"EC2 TerminateInstances of every machine with this box's tags; wait until they are gone",
					"EC2 DeleteSecurityGroup, DeleteKeyPair; delete the key file here",
					"EC2 DescribeInstances, DescribeSecurityGroups, DescribeKeyPairs, DescribeVolumes: say what is left",
				]),
	],
	async run(box) {
		if (!box.options.discard) await checkSafe(box);
		return box.state.provider === "ssh" ? teardownHost(box) : teardownCloud(box);
	},
};
