import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CodedError } from "batching-lab/base";
import type { Remote, SshOptions } from "batching-lab/box";

/** What machines hold, for walks that must take seconds: the scripts' answers, without a shell. */
export interface FastBoxes {
	/** Whether the machine of the moment answers. */
	alive: () => boolean;
	/** Decides each call's fate. */
	fault: () => "before" | "after" | undefined;
	run: string;
	/** Puts another answer in the place of a script's own. */
	says: (script: string, answer: string) => void;
	open: (options: SshOptions) => Remote;
}

const RESULT = "the result of a run\n";
const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");
const lost = () => new CodedError("CONNECTION_LOST", "the connection to the box was lost", { exitCode: 1 });

export function fastBoxes(projectRoot: string): FastBoxes {
	const answers: Readonly<Record<string, (parameters: readonly string[], payload: string) => string>> = {
		hello: () => "aarch64 Toy\n",
		probe: () => "architecture=aarch64\nfreeMb=9000\ngoing=\nnode=system\n",
		"hash-project": (_, payload) =>
			payload
				.split("\0")
				.filter((file) => file !== "")
				.map((file) => `H ${sha256(readFileSync(join(projectRoot, file)))}  ${file}\0`)
				.join(""),
		quiet: () => "cron.service\n",
		start: ([, id = ""]) => {
			boxes.run = id;
			return "state=started\npid=1\nconsole=\n";
		},
		progress: () => `run=${boxes.run}\nexit=0\n`,
		"hash-results": () => `${sha256(RESULT)} ${RESULT.length} ${boxes.run}/result\0END 1\0`,
	};
	const said = new Map<string, string>();
	/** Every way to the machine, with the machine's and the connection's fate before and after. */
	async function through<T>(work: () => T): Promise<T> {
		if (!boxes.alive()) throw lost();
		const fault = boxes.fault();
		if (fault === "before") throw lost();
		const result = work();
		if (fault === "after") throw lost();
		return result;
	}
	const remote: Remote = {
		run: (script, parameters, { payload = "" } = {}) =>
			through(() => said.get(script.name) ?? answers[script.name]?.(parameters, Buffer.from(payload).toString()) ?? ""),
		push: () => through(() => {}),
		pull: (_, to) =>
			through(() => {
				mkdirSync(join(to, boxes.run), { recursive: true });
				writeFileSync(join(to, boxes.run, "result"), RESULT);
			}),
		hostKeys: async () => (boxes.alive() ? ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA"] : []),
		pin: () => {},
	};
	const boxes: FastBoxes = {
		alive: () => true,
		fault: () => undefined,
		run: "",
		says: (script, answer) => said.set(script, answer),
		open: () => remote,
	};
	return boxes;
}
