import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { CodedError } from "../../base/index.js";
import { type Box, now, type Step } from "../box.js";
import { doorInput, groupInput, resourceName, tags } from "../cloud/requests.js";
import { runProgram } from "../process.js";
import { KEY_FILE } from "../remote/ssh-config.js";
import { checkOutsideGit } from "../state/file.js";

const WHO_AM_I = "https://checkip.amazonaws.com";

async function ownAddress(box: Box): Promise<string> {
	let text = box.options.address;
	if (text === undefined) {
		try {
			const timeout = AbortSignal.timeout(10_000);
			const reply = await fetch(WHO_AM_I, { signal: box.signal ? AbortSignal.any([box.signal, timeout]) : timeout });
			text = (await reply.text()).trim();
		} catch (cause) {
			throw new CodedError("ADDRESS_UNKNOWN", `${WHO_AM_I} did not say which address this computer has`, {
				cause,
				exitCode: 1,
				hint: "give --address",
			});
		}
	}
	if (isIP(text) !== 0) return text;
	throw new CodedError("BAD_ADDRESS", `--address takes one IP address, got "${text}"`);
}

async function keygen(folder: string, ...args: readonly string[]): Promise<string> {
	const { code, stdout, stderr } = await runProgram("ssh-keygen", args, { cwd: folder });
	if (code === 0) return stdout.trim();
	throw new CodedError("KEYGEN_FAILED", `ssh-keygen failed: ${stderr.trim()}`, {
		exitCode: 1,
		hint: `a key that is half or broken can be deleted while nothing is rented: ${join(folder, KEY_FILE)}`,
	});
}

/** The private half is made here and never leaves this computer. @returns the public half, computed from it */
async function ownKey({ folder, state }: Box): Promise<string> {
	const key = join(folder, KEY_FILE);
	checkOutsideGit(key);
	if (!existsSync(key)) {
		if (state.launch?.instanceId !== undefined && state.launch.endedAt === undefined) {
			throw new CodedError("KEY_LOST", `${key} is gone, and ${state.launch.instanceId} lets no other key in`, {
				exitCode: 1,
				hint: "`teardown --discard` deletes the machine",
			});
		}
		await keygen(folder, "-q", "-t", "ed25519", "-N", "", "-C", resourceName(state.name), "-f", KEY_FILE);
	}
	return keygen(folder, "-y", "-P", "", "-f", KEY_FILE);
}

export const access: Step = {
	name: "access",
	does: "makes a key and a door: port 22, from this address only",
	needs: ["check"],
	plan: ({ state, options, folder }) => [
		`ssh-keygen -t ed25519 -f ${join(folder, KEY_FILE)} (mode 0600; the private half never leaves this computer)`,
		`EC2 ImportKeyPair ${JSON.stringify({ KeyName: resourceName(state.name), PublicKeyMaterial: "<public key>", TagSpecifications: tags(state.name, "key-pair") })}`,
		`EC2 CreateSecurityGroup ${JSON.stringify(groupInput(state.name, "<default VPC>"))}`,
		`EC2 AuthorizeSecurityGroupIngress ${JSON.stringify(doorInput("<group>", options.address ?? `<what ${WHO_AM_I} says>`))}`,
	],
	async run(box) {
		const { name } = box.state;
		const address = await ownAddress(box);
		const publicKey = await ownKey(box);
		const cloud = await box.cloud();
		box.update({ access: { at: now(), address, open: false }, region: cloud.region });
		// a running machine holds the key that it was born with
		if (box.state.launch?.instanceId === undefined) await cloud.importKey(name, publicKey);
		const groupId = await cloud.group(name);
		box.update({ access: { at: now(), address, groupId, open: false } });
		await cloud.openDoor(groupId, address);
		box.update({ access: { at: now(), address, groupId, open: true } });
		return {
			message: `key in ${join(box.folder, KEY_FILE)}; ${groupId} opens port 22 to ${address} only`,
			data: { groupId, address },
		};
	},
};
