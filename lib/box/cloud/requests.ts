import { isIP } from "node:net";
import type {
	AuthorizeSecurityGroupIngressCommandInput,
	CreateSecurityGroupCommandInput,
	DescribeImagesCommandInput,
	Filter,
	ResourceType,
	RunInstancesCommandInput,
	TagSpecification,
} from "@aws-sdk/client-ec2";

/** The tag that everything rented by this project carries; its box's name stands in `Box`. */
export const PROJECT_TAG = "batching-workbook";
/** Canonical's account. */
const UBUNTU_OWNER = "099720109477";

/** The name of a box's key pair, group and machine. */
export function resourceName(box: string): string {
	return `${PROJECT_TAG}-${box}`;
}

export function tags(box: string, ...types: readonly ResourceType[]): TagSpecification[] {
	return types.map((ResourceType) => ({
		ResourceType,
		Tags: [
			{ Key: "Project", Value: PROJECT_TAG },
			{ Key: "Box", Value: box },
			{ Key: "Name", Value: resourceName(box) },
		],
	}));
}

/** Finds what belongs to the project, or to one of its boxes. */
export function tagFilters(box?: string): Filter[] {
	const project = { Name: "tag:Project", Values: [PROJECT_TAG] };
	return box === undefined ? [project] : [project, { Name: "tag:Box", Values: [box] }];
}

/** Every state but `terminated`: a machine that shuts down still counts against the account. */
export const LIVING: Filter = {
	Name: "instance-state-name",
	Values: ["pending", "running", "stopping", "stopped", "shutting-down"],
};

/** Graviton families carry a `g` after their number (`c7g`, `m6gd`, `t4g`). */
export function architectureOf(instanceType: string): "arm64" | "x86_64" {
	return /^[a-z]+\d+[a-z]*g/.test(instanceType) ? "arm64" : "x86_64";
}

export function imagesInput(instanceType: string): DescribeImagesCommandInput {
	const architecture = architectureOf(instanceType);
	const word = architecture === "arm64" ? "arm64" : "amd64";
	return {
		Owners: [UBUNTU_OWNER],
		Filters: [
			{ Name: "name", Values: [`ubuntu/images/hvm-ssd-gp3/ubuntu-noble-24.04-${word}-server-*`] },
			{ Name: "architecture", Values: [architecture] },
			{ Name: "state", Values: ["available"] },
		],
	};
}

export function groupInput(box: string, vpcId: string): CreateSecurityGroupCommandInput {
	return {
		GroupName: resourceName(box),
		Description: "batching workbook: ssh from one address",
		VpcId: vpcId,
		TagSpecifications: tags(box, "security-group"),
	};
}

export function doorInput(groupId: string, address: string): AuthorizeSecurityGroupIngressCommandInput {
	const range =
		isIP(address) === 6
			? { Ipv6Ranges: [{ CidrIpv6: `${address}/128` }] }
			: { IpRanges: [{ CidrIp: `${address}/32` }] };
	return { GroupId: groupId, IpPermissions: [{ IpProtocol: "tcp", FromPort: 22, ToPort: 22, ...range }] };
}

export interface LaunchRequest {
	readonly box: string;
	readonly clientToken: string;
	readonly imageId: string;
	readonly instanceType: string;
	readonly groupId: string;
	readonly maxHours: number;
}

/**
 * What a machine does at its first start: it sets its own end, and leaves a script that sets it again at every later start,
 * since a `shutdown` that was set is forgotten when the machine starts anew.
 */
export function atBirth(maxHours: number): string {
	const minutes = Math.round(maxHours * 60);
	return [
		"#!/bin/sh",
		`shutdown -P +${minutes}`,
		`end=$(( $(date +%s) / 60 + ${minutes} ))`,
		"again=/var/lib/cloud/scripts/per-boot/batching-end",
		`printf '#!/bin/sh\\nleft=$(( %s - $(date +%%s) / 60 ))\\n[ "$left" -gt 0 ] || left=0\\nshutdown -P "+$left"\\n' "$end" > "$again"`,
		'chmod 755 "$again"',
		"",
	].join("\n");
}

/** The box ends itself: `shutdown` after so many hours, and a machine that shuts down is deleted, its disk too. */
export function runInput(request: LaunchRequest): RunInstancesCommandInput {
	const { box, clientToken, imageId, instanceType, groupId, maxHours } = request;
	return {
		ClientToken: clientToken,
		ImageId: imageId,
		InstanceType: instanceType as NonNullable<RunInstancesCommandInput["InstanceType"]>,
		MinCount: 1,
		MaxCount: 1,
		KeyName: resourceName(box),
		SecurityGroupIds: [groupId],
		MetadataOptions: { HttpTokens: "required", HttpEndpoint: "enabled", HttpPutResponseHopLimit: 1 },
		BlockDeviceMappings: [
			{
				DeviceName: "/dev/sda1",
				Ebs: { Encrypted: true, DeleteOnTermination: true, VolumeType: "gp3", VolumeSize: 16 },
			},
		],
		InstanceInitiatedShutdownBehavior: "terminate",
		UserData: Buffer.from(atBirth(maxHours)).toString("base64"),
		TagSpecifications: tags(box, "instance", "volume", "network-interface"),
	};
}
