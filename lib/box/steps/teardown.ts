import { rmSync } from "node:fs";
import { join } from "node:path";
import { CodedError } from "../../base/index.js";
import { type Box, now, type Outcome, type Step } from "../box.js";
import type { Cloud } from "../cloud/cloud.js";
import { differences, manifestDigest, readManifest } from "../manifest.js";
import { CONFIG_FILE, KEY_FILE, KNOWN_HOSTS } from "../remote/ssh-config.js";
import { RESTORE } from "../scripts/quiet.js";
import { REMOVE } from "../scripts/run.js";
import { resultsAtRisk } from "../state/situation.js";

const BETWEEN_SECONDS = 5;
const MOST_LOOKS = 60;

/**
 * Deleting comes last: a start's results must be at home, and still be there as they were verified.
 *
 * @throws {CodedError} `NOT_FETCHED`
 */
async function checkSafe(box: Box): Promise<void> {
	const { fetch, start } = box.state;
	const hint = "`fetch` brings them home; --discard deletes without them";
	if (resultsAtRisk(box.state)) {
		throw new CodedError("NOT_FETCHED", `the results of run ${start?.id} are not at home`, { exitCode: 1, hint });
	}
	if (fetch === undefined) return;
	const manifest = readManifest(fetch.folder);
	const wrong =
		manifest === undefined || manifestDigest(manifest) !== fetch.digest
			? ["its list"]
			: await differences(fetch.folder, manifest);
	if (wrong.length > 0) {
		throw new CodedError(
			"NOT_FETCHED",
			`${fetch.folder} is not as it was verified any more: ${wrong.slice(0, 5).join(", ")}`,
			{
				exitCode: 1,
				hint,
			},
		);
	}
}

async function terminateAll(box: Box, cloud: Cloud): Promise<number> {
	const { name, launch } = box.state;
	let ended = 0;
	for (let look = 0; ; look++) {
		const found = new Map((await cloud.machines(name)).map((machine) => [machine.id, machine.state]));
		// the list of machines may lag behind a launch; the one that is known is asked for by its id
		const own = launch?.instanceId === undefined ? undefined : await cloud.machine(launch.instanceId);
		if (own !== undefined) found.set(own.id, own.state);
		if (found.size === 0) return ended;
		const alive = [...found].filter(([, state]) => state !== "shutting-down").map(([id]) => id);
		await cloud.terminate(alive);
		ended += alive.length;
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
	for (const file of [KEY_FILE, `${KEY_FILE}.pub`, KNOWN_HOSTS, CONFIG_FILE])
		rmSync(join(box.folder, file), { force: true });
	box.update({ teardown: { at: now() } });
	const kept = fetch === undefined ? "" : `; results in ${fetch.folder}`;
	return {
		message: `deleted ${machines} machine${machines === 1 ? "" : "s"}, the group and the key; looked again: nothing is left in ${cloud.region}${kept}`,
		data: { left: [] },
	};
}

async function teardownHost(box: Box): Promise<Outcome> {
	const { name, quiet } = box.state;
	if (quiet !== undefined) {
		await box.remote().run(RESTORE, [name]);
		box.update({ quiet: undefined });
	}
	if (box.state.wait !== undefined) await box.remote().run(REMOVE, [name]);
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
			? ["start again what quiet stopped; delete the box's folder there"]
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
