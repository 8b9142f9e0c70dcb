import type { EC2Client, Instance } from "@aws-sdk/client-ec2";
import { CodedError } from "../../base/index.js";
import type { Cloud, Machine } from "./cloud.js";
import { Ec2Door } from "./ec2-door.js";
import { ask, cloudCode, cloudFault } from "./errors.js";
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
	readonly #door: Ec2Door;
	readonly importKey: Cloud["importKey"];
	readonly group: Cloud["group"];
	readonly openDoor: Cloud["openDoor"];
	readonly deleteGroup: Cloud["deleteGroup"];
	readonly deleteKey: Cloud["deleteKey"];

	constructor(ec2: Ec2, client: EC2Client, region: string, signal: AbortSignal | undefined) {
		this.#ec2 = ec2;
		this.#client = client;
		this.region = region;
		this.#http = signal === undefined ? {} : { abortSignal: signal };
		const door = new Ec2Door(ec2, client, region, this.#http);
		this.#door = door;
		this.importKey = (box, publicKey) => door.importKey(box, publicKey);
		this.group = (box) => door.group(box);
		this.openDoor = (groupId, address) => door.openDoor(groupId, address);
		this.deleteGroup = (box) => door.deleteGroup(box);
		this.deleteKey = (box) => door.deleteKey(box);
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
			return instance === undefined ? undefined : machineOf(instance);
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

	async leftovers(box: string): Promise<readonly string[]> {
		const machines = (await this.machines(box)).map(({ id, state }) => `instance ${id} (${state})`);
		const groups = (await this.#door.groups(box)).map((id) => `security group ${id}`);
		const keys = (await this.#door.keys(box)).map(({ id, name }) => `key pair ${name} (${id})`);
		const command = new this.#ec2.DescribeVolumesCommand({ Filters: requests.tagFilters(box) });
		const { Volumes = [] } = await ask("DescribeVolumes", () => this.#client.send(command, this.#http));
		const disks = Volumes.map(({ VolumeId, State }) => `disk ${VolumeId} (${State})`);
		return [...machines, ...groups, ...keys, ...disks];
	}
}
