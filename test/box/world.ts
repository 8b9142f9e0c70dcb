import type { Query, Xml } from "./query.js";

export interface FakeMachine {
	readonly id: string;
	readonly token: string;
	readonly tags: ReadonlyMap<string, string>;
	readonly group: string;
	readonly request: Query;
	state: "pending" | "running" | "shutting-down" | "terminated";
	/** Looks until the next state. */
	looks: number;
	/** Looks until it is listed at all. */
	unseen: number;
	/** What it has on its serial console. */
	console: () => string;
}

interface Tagged {
	readonly id: string;
	readonly name: string;
	readonly tags: ReadonlyMap<string, string>;
}
interface FakeGroup extends Tagged {
	doors: { readonly port: string; readonly cidr: string }[];
}

/** An error with EC2's own code. */
export class Refusal extends Error {
	readonly code: string;
	readonly status: number;
	constructor(code: string, message = code, status = 400) {
		super(message);
		this.code = code;
		this.status = status;
	}
}

/** A small EC2 that keeps state: what is asked of it changes what it answers next. */
export class World {
	readonly machines = new Map<string, FakeMachine>();
	readonly groups = new Map<string, FakeGroup>();
	readonly keys = new Map<string, Tagged & { readonly material: string }>();
	readonly disks = new Map<string, { readonly machine: string; readonly tags: ReadonlyMap<string, string> }>();
	/** Looks that a machine stays pending; for ever with Infinity. */
	pendingLooks = 1;
	/** Looks for which a new machine is not listed yet. */
	lag = 0;
	/** The address of every machine. */
	address = "127.0.0.1";
	console = (): string => "";
	#count = 0;

	#id(kind: string): string {
		this.#count++;
		return `${kind}-${String(this.#count).padStart(8, "0")}`;
	}

	/** Everything that somebody pays for or has to clean up. */
	resources(): string[] {
		const machines = [...this.machines.values()].filter(({ state }) => state !== "terminated").map(({ id }) => id);
		return [...machines, ...this.groups.keys(), ...this.keys.keys(), ...this.disks.keys()];
	}

	living(): FakeMachine[] {
		return [...this.machines.values()].filter(({ state }) => state === "pending" || state === "running");
	}

	/** Takes a machine away, as a cloud may. */
	vanish(machine: FakeMachine): void {
		machine.state = "terminated";
		for (const [id, disk] of this.disks) if (disk.machine === machine.id) this.disks.delete(id);
	}

	answer(query: Query): Xml {
		const action = query.get("Action");
		const handler = this.#actions[action];
		if (handler === undefined) throw new Refusal("InvalidAction", `no action ${action}`);
		return handler(query);
	}

	#advance(machine: FakeMachine): void {
		if (machine.looks-- > 0) return;
		if (machine.state === "pending") machine.state = "running";
		else if (machine.state === "shutting-down") this.vanish(machine);
	}

	#matches(query: Query, tags: ReadonlyMap<string, string>, state?: string): boolean {
		for (const [name, values] of query.filters()) {
			const actual = name.startsWith("tag:")
				? tags.get(name.slice(4))
				: name === "instance-state-name"
					? state
					: undefined;
			if (actual === undefined || !values.includes(actual)) return false;
		}
		return true;
	}

	#show(machine: FakeMachine): Xml {
		return {
			instanceId: machine.id,
			instanceState: { code: 0, name: machine.state },
			instanceType: machine.request.get("InstanceType"),
			launchTime: new Date().toISOString(),
			...(machine.state === "running" ? { ipAddress: this.address } : {}),
			tagSet: showTags(machine.tags),
		};
	}

	readonly #actions: Readonly<Record<string, (query: Query) => Xml>> = {
		DescribeInstances: (query) => {
			const ids = query.list("InstanceId");
			for (const machine of this.machines.values()) machine.unseen--;
			const seen = [...this.machines.values()].filter(({ unseen }) => unseen < 0);
			for (const id of ids)
				if (!seen.some((machine) => machine.id === id)) throw new Refusal("InvalidInstanceID.NotFound");
			const found = seen.filter(
				(machine) =>
					(ids.length === 0 || ids.includes(machine.id)) && this.#matches(query, machine.tags, machine.state),
			);
			const shown = found.map((machine) => this.#show(machine));
			for (const machine of found) this.#advance(machine);
			return { reservationSet: shown.map((instance) => ({ instancesSet: [instance] })) };
		},
		DescribeImages: (query) => ({
			imagesSet: ["2026-01-05", "2026-11-02", "2025-07-01"].map((day) => ({
				imageId: `ami-${day}`,
				name: `${query.filters().get("name")?.[0]?.replace("*", "")}${day}`,
				creationDate: `${day}T00:00:00.000Z`,
			})),
		}),
		DescribeVpcs: () => ({ vpcSet: [{ vpcId: "vpc-1" }] }),
		DescribeSecurityGroups: (query) => {
			const ids = query.list("GroupId");
			for (const id of ids) if (!this.groups.has(id)) throw new Refusal("InvalidGroup.NotFound");
			return {
				securityGroupInfo: [...this.groups.values()]
					.filter((group) => (ids.length === 0 || ids.includes(group.id)) && this.#matches(query, group.tags))
					.map((group) => ({
						groupId: group.id,
						groupName: group.name,
						ipPermissions: group.doors.map(({ port, cidr }) => ({
							ipProtocol: "tcp",
							fromPort: port,
							toPort: port,
							ipRanges: [{ cidrIp: cidr }],
						})),
					})),
			};
		},
		CreateSecurityGroup: (query) => {
			const name = query.get("GroupName");
			if ([...this.groups.values()].some((group) => group.name === name)) throw new Refusal("InvalidGroup.Duplicate");
			const id = this.#id("sg");
			this.groups.set(id, { id, name, tags: query.tags("security-group"), doors: [] });
			return { groupId: id };
		},
		AuthorizeSecurityGroupIngress: (query) => {
			const door = {
				port: query.get("IpPermissions.1.FromPort"),
				cidr: query.get("IpPermissions.1.IpRanges.1.CidrIp"),
			};
			const group = this.#group(query.get("GroupId"));
			if (group.doors.some(({ cidr }) => cidr === door.cidr)) throw new Refusal("InvalidPermission.Duplicate");
			group.doors.push(door);
			return { return: true };
		},
		RevokeSecurityGroupIngress: (query) => {
			const group = this.#group(query.get("GroupId"));
			const gone = query.list("IpPermissions", ".IpRanges.1.CidrIp");
			group.doors = group.doors.filter(({ cidr }) => !gone.includes(cidr));
			return { return: true };
		},
		DeleteSecurityGroup: (query) => {
			const group = this.#group(query.get("GroupId"));
			const used = [...this.machines.values()].some((one) => one.group === group.id && one.state !== "terminated");
			if (used) throw new Refusal("DependencyViolation");
			this.groups.delete(group.id);
			return { return: true };
		},
		ImportKeyPair: (query) => {
			const name = query.get("KeyName");
			if ([...this.keys.values()].some((key) => key.name === name)) throw new Refusal("InvalidKeyPair.Duplicate");
			const id = this.#id("key");
			const material = Buffer.from(query.get("PublicKeyMaterial"), "base64").toString();
			this.keys.set(id, { id, name, material, tags: query.tags("key-pair") });
			return { keyPairId: id, keyName: name };
		},
		DescribeKeyPairs: (query) => ({
			keySet: [...this.keys.values()]
				.filter((key) => this.#matches(query, key.tags))
				.map(({ id, name }) => ({ keyPairId: id, keyName: name })),
		}),
		DeleteKeyPair: (query) => {
			this.keys.delete(query.get("KeyPairId"));
			return { return: true };
		},
		DescribeVolumes: (query) => ({
			volumeSet: [...this.disks]
				.filter(([, disk]) => this.#matches(query, disk.tags))
				.map(([volumeId]) => ({ volumeId, status: "in-use" })),
		}),
		RunInstances: (query) => {
			const token = query.get("ClientToken");
			const before = [...this.machines.values()].find((machine) => machine.token === token);
			if (before !== undefined) {
				if (before.request.get("ImageId") !== query.get("ImageId")) throw new Refusal("IdempotentParameterMismatch");
				return { instancesSet: [this.#show(before)] };
			}
			if (this.living().length > 0) throw new Refusal("VcpuLimitExceeded");
			if (![...this.keys.values()].some(({ name }) => name === query.get("KeyName")))
				throw new Refusal("InvalidKeyPair.NotFound");
			const group = this.#group(query.get("SecurityGroupId.1")).id;
			const id = this.#id("i");
			const tags = query.tags("instance");
			const { console } = this;
			this.machines.set(id, {
				id,
				token,
				tags,
				group,
				request: query,
				state: "pending",
				looks: this.pendingLooks,
				unseen: this.lag,
				console,
			});
			this.disks.set(this.#id("vol"), { machine: id, tags: query.tags("volume") });
			return { instancesSet: [this.#show(this.#machine(id))] };
		},
		TerminateInstances: (query) => {
			const ended = query.list("InstanceId").map((id) => this.#machine(id));
			for (const machine of ended) {
				if (machine.state === "terminated") continue;
				machine.state = "shutting-down";
				machine.looks = 1;
			}
			return { instancesSet: ended.map(({ id, state }) => ({ instanceId: id, currentState: { name: state } })) };
		},
		GetConsoleOutput: (query) => {
			const output = Buffer.from(this.#machine(query.get("InstanceId")).console()).toString("base64");
			return { instanceId: query.get("InstanceId"), output };
		},
	};

	#group(id: string): FakeGroup {
		const group = this.groups.get(id);
		if (group === undefined) throw new Refusal("InvalidGroup.NotFound");
		return group;
	}

	#machine(id: string): FakeMachine {
		const machine = this.machines.get(id);
		if (machine === undefined) throw new Refusal("InvalidInstanceID.NotFound");
		return machine;
	}
}

function showTags(tags: ReadonlyMap<string, string>): Xml {
	return [...tags].map(([key, value]) => ({ key, value }));
}
