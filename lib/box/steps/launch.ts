import { randomUUID } from "node:crypto";
import { CodedError } from "../../base/index.js";
import { type Box, now, type Step } from "../box.js";
import type { Machine } from "../cloud/cloud.js";
import { atBirth, imagesInput, runInput } from "../cloud/requests.js";

const DEFAULT_TYPE = "c7g.medium";
export const DEFAULT_HOURS = 6;

async function request(box: Box): Promise<NonNullable<Box["state"]["launch"]>> {
	const { launch } = box.state;
	// asked for and not answered: ask again for the very same thing, so that the same token returns the same machine
	if (launch !== undefined && launch.instanceId === undefined) {
		box.say(
			`asking again for what was asked for: ${launch.instanceType}, ${launch.imageName}, ${launch.maxHours} hours`,
		);
		return launch;
	}
	const instanceType = box.options.instanceType ?? DEFAULT_TYPE;
	const cloud = await box.cloud();
	const image =
		box.options.imageId === undefined
			? await cloud.newestUbuntu(instanceType)
			: { id: box.options.imageId, name: box.options.imageId };
	const fresh = {
		at: now(),
		clientToken: randomUUID(),
		imageId: image.id,
		imageName: image.name,
		instanceType,
		maxHours: box.options.maxHours ?? DEFAULT_HOURS,
	};
	// what lies on a machine that is gone is not on the next one
	const gone = { login: undefined, wait: undefined, setup: undefined, verify: undefined, quiet: undefined };
	box.update({ launch: fresh, ...gone });
	return fresh;
}

export const launch: Step = {
	name: "launch",
	does: "rents one machine, which ends itself after --max-hours",
	needs: ["access"],
	plan({ state, options }) {
		const instanceType = options.instanceType ?? DEFAULT_TYPE;
		const hours = options.maxHours ?? DEFAULT_HOURS;
		const request = runInput({
			box: state.name,
			clientToken: "<kept in the state, so that a repeated request rents nothing more>",
			imageId: options.imageId ?? "<newest image>",
			instanceType,
			groupId: state.access?.groupId ?? "<group>",
			maxHours: hours,
		});
		return [
			`rent one ${instanceType} with an encrypted disk that is deleted with it, for at most ${hours} hours`,
			...(options.imageId === undefined
				? [`EC2 DescribeImages ${JSON.stringify(imagesInput(instanceType))}, the newest`]
				: []),
			`EC2 RunInstances ${JSON.stringify({ ...request, UserData: "<below>" }, null, 2)}`,
			`its UserData: ${JSON.stringify(atBirth(hours))}`,
			`so it ends itself for good ${hours} hours after its start, also when it was started anew meanwhile`,
		];
	},
	async run(box) {
		const cloud = await box.cloud();
		const { name } = box.state;
		const living: readonly Machine[] = (await cloud.machines(name)).filter(({ state }) => state !== "shutting-down");
		if (living.length > 1) {
			throw new CodedError(
				"BOX_ORPHANED",
				`there are ${living.length} machines of this box: ${living.map(({ id }) => id).join(", ")}`,
				{
					exitCode: 1,
					hint: "`teardown` deletes all of them",
				},
			);
		}
		let machine = living[0];
		const found = machine !== undefined;
		const adopted = found && (box.state.launch === undefined || box.state.launch.adopted === true);
		const asked = found && box.state.launch !== undefined ? box.state.launch : await request(box);
		const wanted = adopted ? { ...asked, adopted } : asked;
		if (machine === undefined) {
			const groupId = box.state.access?.groupId ?? (await cloud.group(name));
			try {
				machine = await cloud.launch({ box: name, groupId, ...wanted });
			} catch (error) {
				// refused outright: nothing was rented under this token, and what is wrong with the request must not stick to it
				if (error instanceof CodedError && REFUSED.has(error.code)) box.update({ launch: undefined });
				throw error;
			}
			if (machine.state === "terminated" || machine.state === "shutting-down") {
				box.update({ launch: undefined });
				throw new CodedError("BOX_GONE", `the machine of the last request, ${machine.id}, is gone already`, {
					exitCode: 1,
				});
			}
		}
		const known = box.state.launch?.instanceId === machine.id;
		box.update({
			launch: { ...wanted, at: (machine.launchedAt ?? new Date()).toISOString(), instanceId: machine.id },
			...(known ? {} : { wait: undefined, login: undefined }),
		});
		return {
			message: adopted
				? `taken over: ${machine.id}, ${machine.type}, rented by a state that is lost; it ends itself at the hour that was set then`
				: `${found ? "there already" : "rented"}: ${machine.id}, ${machine.type}, ${wanted.imageName}; it ends itself after ${wanted.maxHours} hours`,
			data: { instanceId: machine.id, instanceType: machine.type, image: wanted.imageId },
		};
	},
};

const REFUSED = new Set(["CLOUD_LIMIT", "CLOUD_CAPACITY", "CLOUD_DENIED", "CLOUD_REFUSED"]);
