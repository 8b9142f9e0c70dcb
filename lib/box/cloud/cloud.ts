import type { LaunchRequest } from "./requests.js";

/** A rented machine, as far as the steps need to know it. */
export interface Machine {
	readonly id: string;
	/** The box it was rented for. */
	readonly box: string;
	readonly state: string;
	readonly type: string;
	readonly launchedAt?: Date;
	/** Absent until it has one, or when it is gone. */
	readonly address?: string;
}

export interface Image {
	readonly id: string;
	readonly name: string;
}

/** How long a cloud's lists may lag behind what was asked of it. EC2 promises no figure, and advises to look again for minutes. */
const LAG_MS = 5 * 60_000;

/** Whether what was asked for at `at` may not be listed yet. */
export function isYoung(at: string): boolean {
	return Date.now() - Date.parse(at) < LAG_MS;
}

/** What is still there, one line each: `instance i-0… (running)`. */
export type Leftovers = readonly string[];

/** What the steps ask of a cloud. Every method may be called again after it failed, and then finds what it did. */
export interface Cloud {
	readonly region: string;
	/** Machines of the project, or of one box, in every state but terminated. */
	machines(box?: string): Promise<readonly Machine[]>;
	/** One machine, `terminated` too; undefined when the cloud does not know it: not yet, or not any more. */
	machine(id: string): Promise<Machine | undefined>;
	newestUbuntu(instanceType: string): Promise<Image>;
	/** Makes the key known under the box's name, in place of an older one of that name. */
	importKey(box: string, publicKey: string): Promise<void>;
	/** Makes the box's group, or finds it. */
	group(box: string): Promise<string>;
	/** Leaves exactly one way in: port 22 from `address`. */
	openDoor(groupId: string, address: string): Promise<void>;
	/** Rents one machine; the same token never rents a second one. */
	launch(request: LaunchRequest): Promise<Machine>;
	/** What the machine wrote to its serial console; empty until the cloud has some. */
	consoleOutput(id: string): Promise<string>;
	terminate(ids: readonly string[]): Promise<void>;
	/** Deletes the box's group; false while something still uses it. */
	deleteGroup(box: string): Promise<boolean>;
	deleteKey(box: string): Promise<void>;
	/** Everything of the box that is there: machines, groups, keys, disks. */
	leftovers(box: string): Promise<Leftovers>;
}
