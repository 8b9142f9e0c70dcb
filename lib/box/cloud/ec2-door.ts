import type { EC2Client } from "@aws-sdk/client-ec2";
import { CodedError } from "../../base/index.js";
import { ask, cloudCode, cloudFault } from "./errors.js";
import * as requests from "./requests.js";

type Ec2 = typeof import("@aws-sdk/client-ec2");

/** The key and the door of a box: what a machine needs before it can be rented. */
export class Ec2Door {
	readonly #ec2: Ec2;
	readonly #client: EC2Client;
	readonly #http: { abortSignal?: AbortSignal };
	readonly #region: string;

	constructor(ec2: Ec2, client: EC2Client, region: string, http: { abortSignal?: AbortSignal }) {
		this.#ec2 = ec2;
		this.#client = client;
		this.#region = region;
		this.#http = http;
	}

	async importKey(box: string, publicKey: string): Promise<void> {
		// a key of this name may be of an earlier try whose private half is gone: only the newest can be used
		await this.deleteKey(box);
		const command = new this.#ec2.ImportKeyPairCommand({
			KeyName: requests.resourceName(box),
			PublicKeyMaterial: Buffer.from(publicKey),
			TagSpecifications: requests.tags(box, "key-pair"),
		});
		try {
			await this.#client.send(command, this.#http);
		} catch (error) {
			if (cloudCode(error) !== "InvalidKeyPair.Duplicate") throw cloudFault("ImportKeyPair", error);
			// the client itself repeats a request whose answer was lost: then the key is there already, and carries our tags
			if ((await this.keys(box)).length > 0) return;
			throw new CodedError("KEY_TAKEN", `another key pair is called ${requests.resourceName(box)}`, {
				hint: "give this box another --name",
			});
		}
	}

	async groups(box: string): Promise<readonly string[]> {
		const command = new this.#ec2.DescribeSecurityGroupsCommand({ Filters: requests.tagFilters(box) });
		const { SecurityGroups = [] } = await ask("DescribeSecurityGroups", () => this.#client.send(command, this.#http));
		return SecurityGroups.flatMap(({ GroupId }) => (GroupId === undefined ? [] : [GroupId]));
	}

	async group(box: string): Promise<string> {
		const [there] = await this.groups(box);
		if (there !== undefined) return there;
		const vpcs = new this.#ec2.DescribeVpcsCommand({ Filters: [{ Name: "is-default", Values: ["true"] }] });
		const { Vpcs = [] } = await ask("DescribeVpcs", () => this.#client.send(vpcs, this.#http));
		const vpcId = Vpcs[0]?.VpcId;
		if (vpcId === undefined) {
			throw new CodedError("NO_VPC", `the account has no default network in ${this.#region}`, {
				exitCode: 1,
				hint: "`aws ec2 create-default-vpc` makes one",
			});
		}
		const command = new this.#ec2.CreateSecurityGroupCommand(requests.groupInput(box, vpcId));
		try {
			const { GroupId } = await this.#client.send(command, this.#http);
			if (GroupId !== undefined) return GroupId;
		} catch (error) {
			if (cloudCode(error) !== "InvalidGroup.Duplicate") throw cloudFault("CreateSecurityGroup", error);
		}
		const [made] = await this.groups(box);
		if (made !== undefined) return made;
		throw new CodedError("GROUP_TAKEN", `another group is called ${requests.resourceName(box)}`, {
			hint: "give this box another --name",
		});
	}

	async openDoor(groupId: string, address: string): Promise<void> {
		const look = new this.#ec2.DescribeSecurityGroupsCommand({ GroupIds: [groupId] });
		const { SecurityGroups = [] } = await ask("DescribeSecurityGroups", () => this.#client.send(look, this.#http));
		const open = SecurityGroups[0]?.IpPermissions ?? [];
		if (open.length > 0) {
			const close = new this.#ec2.RevokeSecurityGroupIngressCommand({ GroupId: groupId, IpPermissions: open });
			await ask("RevokeSecurityGroupIngress", () => this.#client.send(close, this.#http));
		}
		const command = new this.#ec2.AuthorizeSecurityGroupIngressCommand(requests.doorInput(groupId, address));
		try {
			await this.#client.send(command, this.#http);
		} catch (error) {
			if (cloudCode(error) !== "InvalidPermission.Duplicate") throw cloudFault("AuthorizeSecurityGroupIngress", error);
		}
	}

	async deleteGroup(box: string): Promise<boolean> {
		for (const GroupId of await this.groups(box)) {
			try {
				await this.#client.send(new this.#ec2.DeleteSecurityGroupCommand({ GroupId }), this.#http);
			} catch (error) {
				if (cloudCode(error) === "DependencyViolation") return false;
				if (!cloudCode(error).startsWith("InvalidGroup")) throw cloudFault("DeleteSecurityGroup", error);
			}
		}
		return true;
	}

	async deleteKey(box: string): Promise<void> {
		for (const { id } of await this.keys(box)) {
			const command = new this.#ec2.DeleteKeyPairCommand({ KeyPairId: id });
			await ask("DeleteKeyPair", () => this.#client.send(command, this.#http));
		}
	}

	async keys(box: string): Promise<readonly { id: string; name: string }[]> {
		const command = new this.#ec2.DescribeKeyPairsCommand({ Filters: requests.tagFilters(box) });
		const { KeyPairs = [] } = await ask("DescribeKeyPairs", () => this.#client.send(command, this.#http));
		return KeyPairs.flatMap(({ KeyPairId, KeyName = "?" }) =>
			KeyPairId === undefined ? [] : [{ id: KeyPairId, name: KeyName }],
		);
	}
}
