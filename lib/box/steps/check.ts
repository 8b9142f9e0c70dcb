import { CodedError } from "../../base/index.js";
import { type Box, now, type Outcome, type Step } from "../box.js";
import { LIVING, tagFilters } from "../cloud/requests.js";
import { pinHostKey } from "../host-key.js";
import { otherStates } from "../state/others.js";
import { projectMachines } from "./own-machines.js";

async function checkCloud(box: Box): Promise<Outcome> {
	const cloud = await box.cloud();
	const { name, launch } = box.state;
	const machines = await projectMachines(box, cloud);
	const own = machines.filter((machine) => machine.box === name);
	const foreign = machines.filter((machine) => machine.box !== name);
	const list = (some: typeof machines) => some.map((one) => `${one.id} (box ${one.box}, ${one.state})`).join(", ");
	if (foreign.length > 0) {
		throw new CodedError("BOX_EXISTS", `another box of this project is there: ${list(foreign)}`, {
			exitCode: 1,
			hint: `tear it down first: \`npx workbook box teardown --name ${foreign[0]?.box}\``,
		});
	}
	const unknown = own.filter(({ id }) => id !== launch?.instanceId);
	if (unknown.length > 0) {
		throw new CodedError(
			"BOX_ORPHANED",
			`a machine of this box is there that its state does not know: ${list(unknown)}`,
			{
				exitCode: 1,
				hint:
					launch === undefined
						? "it was rented by a state that is lost: `launch` takes it over, `teardown --discard` deletes it"
						: "`launch` takes it over, `teardown` deletes it",
			},
		);
	}
	box.update({ check: { at: now() }, region: cloud.region });
	const message =
		own.length > 0 ? `this box's own machine is there: ${list(own)}` : `0 machines of this project in ${cloud.region}`;
	return { message, data: { machines: machines.length, region: cloud.region } };
}

async function checkHost(box: Box): Promise<Outcome> {
	const host = box.state.login?.host;
	const others = otherStates(box.folder).filter((other) => other.login?.host === host && other.teardown === undefined);
	if (others.length > 0) {
		throw new CodedError("BOX_EXISTS", `another box of this project uses ${host}: "${others[0]?.name}"`, {
			exitCode: 1,
			hint: `tear it down first: \`npx workbook box teardown --name ${others[0]?.name}\``,
		});
	}
	const keys = await box.remote().hostKeys();
	if (keys.length === 0) {
		throw new CodedError("HOST_SILENT", `${host} does not answer on port ${box.state.login?.port}`, {
			exitCode: 1,
			hint: "check --host, --port and that its ssh service runs",
		});
	}
	const { fingerprint } = pinHostKey(box, keys);
	box.update({ check: { at: now() } });
	return { message: `${host} answers, host key ${fingerprint}; no other box of this project uses it`, data: { host } };
}

export const check: Step = {
	name: "check",
	does: "looks that no other box of this project is there",
	needs: [],
	plan: ({ state }) =>
		state.provider === "ssh"
			? [
					`ssh-keyscan ${state.login?.host ?? "<host>"}: show and pin its host key`,
					"look for other boxes with this host",
				]
			: [
					`EC2 DescribeInstances ${JSON.stringify({ Filters: [...tagFilters(), LIVING] })}`,
					"must find none; rights that all steps need: DescribeInstances, DescribeImages, DescribeVpcs, DescribeVolumes,",
					"DescribeKeyPairs, ImportKeyPair, DeleteKeyPair, DescribeSecurityGroups, CreateSecurityGroup, DeleteSecurityGroup,",
					"AuthorizeSecurityGroupIngress, RevokeSecurityGroupIngress, RunInstances, CreateTags, GetConsoleOutput, TerminateInstances",
				],
	run: (box) => (box.state.provider === "ssh" ? checkHost(box) : checkCloud(box)),
};
