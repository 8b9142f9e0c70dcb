import type { EC2Client, Instance } from "@aws-sdk/client-ec2";
import { CodedError } from "../../base/index.js";
import type { Cloud, Machine } from "./cloud.js";
import { cloudCode, cloudFault } from "./errors.js";
import * as requests from "./requests.js";

type Ec2 = typeof import("@aws-sdk/client-ec2");

export interface Ec2Options {
	/** @default the usual environment: AWS_REGION, the profile's region */
	readonly region?: string;
	readonly signal?: AbortSignal;
}

/**
 * EC2 through its official client, which is loaded only here. Endpoint, region and credentials come from the usual
 * environment (AWS_ENDPOINT_URL_EC2, AWS_REGION, AWS_PROFILE, …); nothing of them is printed or stored.
 */
export async function openEc2({ region, signal }: Ec2Options = {}): Promise<Cloud> {
	// its note on coming versions of Node is for whoever pins the client, not for whoever rents a box
	process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
	const ec2 = await import("@aws-sdk/client-ec2");
	const client = new ec2.EC2Client(region === undefined ? {} : { region });
	const found = await ask("region", () => client.config.region());
	return new Ec2Cloud(ec2, client, found, signal);
}

/** @throws {CodedError} the one that `cloudFault` makes of it */
async function ask<T>(call: string, send: () => Promise<T>): Promise<T> {
	try {
		return await send();
	} catch (error) {
		throw cloudFault(call, error);
	}
}

function machineOf(instance: Instance): Machine | undefined {
	if (instance.InstanceId === undefined) return undefined;
	return {
		id: instance.InstanceId,
		box: instance.Tags?.find(({ Key }) => Key === "Box")?.Value ?? "?",
		state: instance.State?.Name ?? "?",
		type: instance.InstanceType ?? "?",
		...(instance.LaunchTime === undefined ? {} : { launchedAt: instance.LaunchTime }),
		...(instance.PublicIpAddress === undefined ? {} : { address: instance.PublicIpAddress }),
	};
}

class Ec2Cloud implements Cloud {
	readonly region: string;
	readonly #ec2: Ec2;
	readonly #client: EC2Client;
	readonly #http: { abortSignal?: AbortSignal };

	constructor(ec2: Ec2, client: EC2Client, region: string, signal: AbortSignal | undefined) {
		this.#ec2 = ec2;
		this.#client = client;
		this.region = region;
		this.#http = signal === undefined ? {} : { abortSignal: signal };
	}

	async machines(box?: string): Promise<readonly Machine[]> {
		const Filters = [...requests.tagFilters(box), requests.LIVING];
		const found: Machine[] = [];
		let NextToken: string | undefined;
		do {
			const command = new this.#ec2.DescribeInstancesCommand({ Filters, ...(NextToken ? { NextToken } : {}) });
			const page = await ask("DescribeInstances", () => this.#client.send(command, this.#http));
			for (const { Instances = [] } of page.Reservations ?? []) {
				for (const instance of Instances) found.push(...[machineOf(instance)].filter((one) => one !== undefined));
			}
			NextToken = page.NextToken;
		} while (NextToken);
		return found;
	}

	async machine(id: string): Promise<Machine | undefined> {
		const command = new this.#ec2.DescribeInstancesCommand({ InstanceIds: [id] });
		try {
			const { Reservations = [] } = await this.#client.send(command, this.#http);
			const instance = Reservations.flatMap(({ Instances = [] }) => Instances)[0];
			const machine = instance === undefined ? undefined : machineOf(instance);
			return machine?.state === "terminated" ? undefined : machine;
		} catch (error) {
			if (cloudCode(error).startsWith("InvalidInstanceID")) return undefined;
			throw cloudFault("DescribeInstances", error);
		}
	}

	async newestUbuntu(instanceType: string): Promise<{ id: string; name: string }> {
		const command = new this.#ec2.DescribeImagesCommand(requests.imagesInput(instanceType));
		const { Images = [] } = await ask("DescribeImages", () => this.#client.send(command, this.#http));
		const newest = Images.reduce<(typeof Images)[number] | undefined>(
			(best, image) => ((image.CreationDate ?? "") > (best?.CreationDate ?? "") ? image : best),
			undefined,
		);
		if (newest?.ImageId === undefined) {
			throw new CodedError("NO_IMAGE", `no Ubuntu image for ${instanceType} in ${this.region}`, {
				hint: "give --image",
			});
		}
		return { id: newest.ImageId, name: newest.Name ?? newest.ImageId };
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
			if ((await this.#keys(box)).length > 0) return;
			throw new CodedError("KEY_TAKEN", `another key pair is called ${requests.resourceName(box)}`, {
				hint: "give this box another --name",
			});
		}
	}

	async #groups(box: string): Promise<readonly string[]> {
		const command = new this.#ec2.DescribeSecurityGroupsCommand({ Filters: requests.tagFilters(box) });
		const { SecurityGroups = [] } = await ask("DescribeSecurityGroups", () => this.#client.send(command, this.#http));
		return SecurityGroups.flatMap(({ GroupId }) => (GroupId === undefined ? [] : [GroupId]));
	}

	async group(box: string): Promise<string> {
		const [there] = await this.#groups(box);
		if (there !== undefined) return there;
		const vpcs = new this.#ec2.DescribeVpcsCommand({ Filters: [{ Name: "is-default", Values: ["true"] }] });
		const { Vpcs = [] } = await ask("DescribeVpcs", () => this.#client.send(vpcs, this.#http));
		const vpcId = Vpcs[0]?.VpcId;
		if (vpcId === undefined) {
			throw new CodedError("NO_VPC", `the account has no default network in ${this.region}`, {
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
		const [made] = await this.#groups(box);
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

	async launch(request: requests.LaunchRequest): Promise<Machine> {
		const command = new this.#ec2.RunInstancesCommand(requests.runInput(request));
		const { Instances = [] } = await ask("RunInstances", () => this.#client.send(command, this.#http));
		const machine = Instances[0] === undefined ? undefined : machineOf(Instances[0]);
		if (machine !== undefined) return machine;
		throw new CodedError("CLOUD_FAILED", "RunInstances named no machine", { exitCode: 1 });
	}

	async consoleOutput(id: string): Promise<string> {
		const command = new this.#ec2.GetConsoleOutputCommand({ InstanceId: id, Latest: true });
		const { Output = "" } = await ask("GetConsoleOutput", () => this.#client.send(command, this.#http));
		return Buffer.from(Output, "base64").toString("utf8");
	}

	async terminate(ids: readonly string[]): Promise<void> {
		if (ids.length === 0) return;
		const command = new this.#ec2.TerminateInstancesCommand({ InstanceIds: [...ids] });
		try {
			await this.#client.send(command, this.#http);
		} catch (error) {
			if (!cloudCode(error).startsWith("InvalidInstanceID")) throw cloudFault("TerminateInstances", error);
		}
	}

	async deleteGroup(box: string): Promise<boolean> {
		for (const GroupId of await this.#groups(box)) {
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
		for (const { id } of await this.#keys(box)) {
			const command = new this.#ec2.DeleteKeyPairCommand({ KeyPairId: id });
			await ask("DeleteKeyPair", () => this.#client.send(command, this.#http));
		}
	}

	async #keys(box: string): Promise<readonly { id: string; name: string }[]> {
		const command = new this.#ec2.DescribeKeyPairsCommand({ Filters: requests.tagFilters(box) });
		const { KeyPairs = [] } = await ask("DescribeKeyPairs", () => this.#client.send(command, this.#http));
		return KeyPairs.flatMap(({ KeyPairId, KeyName = "?" }) =>
			KeyPairId === undefined ? [] : [{ id: KeyPairId, name: KeyName }],
		);
	}

	async leftovers(box: string): Promise<readonly string[]> {
		const machines = (await this.machines(box)).map(({ id, state }) => `instance ${id} (${state})`);
		const groups = (await this.#groups(box)).map((id) => `security group ${id}`);
		const keys = (await this.#keys(box)).map(({ id, name }) => `key pair ${name} (${id})`);
		const command = new this.#ec2.DescribeVolumesCommand({ Filters: requests.tagFilters(box) });
		const { Volumes = [] } = await ask("DescribeVolumes", () => this.#client.send(command, this.#http));
		const disks = Volumes.map(({ VolumeId, State }) => `disk ${VolumeId} (${State})`);
		return [...machines, ...groups, ...keys, ...disks];
	}
}
