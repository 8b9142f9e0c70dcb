import { CodedError, hasCode } from "../../base/index.js";
import { type Box, loginOf, now, type Step } from "../box.js";
import { consoleHostKeys, pinConsoleKeys, pinHostKey } from "../host-key.js";
import { parseHost } from "../options.js";
import { HELLO } from "../scripts/hello.js";
import { goneNow } from "./gone.js";

const DEFAULT_SECONDS = 600;
/** How long the console may stay empty after the machine answers, before its key is taken on trust. */
const CONSOLE_SECONDS = 180;
const BETWEEN_SECONDS = 5;

/** Waits for a running machine with an address, and writes down where to log in. */
async function running(box: Box, deadline: number): Promise<void> {
	const id = box.state.launch?.instanceId;
	if (id === undefined)
		throw new CodedError("NO_MACHINE", "no machine is rented", { hint: "`npx workbook box launch`" });
	const cloud = await box.cloud();
	const { user } = parseHost(box.options.host ?? "ubuntu@box", "ubuntu");
	for (;;) {
		const machine = await cloud.machine(id);
		const gone = goneNow(box, id, machine);
		if (gone !== undefined) throw gone;
		if (machine?.state === "running" && machine.address !== undefined) {
			const before = box.state.login;
			const same = before?.host === machine.address;
			const fresh = { user, host: machine.address, port: box.options.port ?? before?.port ?? 22 };
			box.update({ login: same && before.hostKey !== undefined ? { ...fresh, hostKey: before.hostKey } : fresh });
			return;
		}
		const state = machine?.state ?? "not listed yet";
		box.say(`${id} is ${state}`);
		await bounded(box, deadline, `${id} is still ${state}`);
	}
}

async function bounded(box: Box, deadline: number, what: string): Promise<void> {
	if (Date.now() >= deadline) {
		throw new CodedError("WAIT_TOO_LONG", what, {
			exitCode: 1,
			hint: "wait again, or tear the box down and launch another",
		});
	}
	await box.rest(BETWEEN_SECONDS);
}

async function pinned(box: Box, deadline: number): Promise<void> {
	if (loginOf(box.state).hostKey !== undefined && box.options.hostKey === undefined) return;
	const id = box.state.launch?.instanceId;
	const cloud = id === undefined ? undefined : await box.cloud();
	let answersSince: number | undefined;
	for (;;) {
		const printed = cloud === undefined || id === undefined ? [] : consoleHostKeys(await cloud.consoleOutput(id));
		if (printed.length > 0) {
			const { fingerprint } =
				box.options.hostKey === undefined ? pinConsoleKeys(box, printed) : pinHostKey(box, printed);
			box.say(`host key ${fingerprint}, as the machine printed it on its console`);
			return;
		}
		const shown = await box.remote().hostKeys();
		if (shown.length > 0) answersSince ??= Date.now();
		const patience = cloud === undefined || box.options.hostKey !== undefined ? 0 : CONSOLE_SECONDS * 1000;
		if (shown.length > 0 && answersSince !== undefined && Date.now() >= Math.min(answersSince + patience, deadline)) {
			pinHostKey(box, shown);
			return;
		}
		box.say(
			answersSince === undefined
				? "it does not answer yet"
				: "it answers; waiting for its console to print the host key",
		);
		await bounded(box, deadline, "the machine runs, and does not answer to ssh");
	}
}

/** Ends of a first log-in that a second look may mend: a machine that is coming up refuses and closes connections. */
const COMING_UP = new Set(["CONNECTION_LOST", "SSH_DENIED"]);

export const wait: Step = {
	name: "wait",
	does: "waits until it answers, and pins its host key",
	needs: ["launch"],
	plan: ({ state, options }) => [
		...(state.provider === "ec2"
			? [
					"EC2 DescribeInstances until running with an address",
					"EC2 GetConsoleOutput until it shows the host keys; else its key on trust, said aloud",
				]
			: ["ssh-keyscan: its host key on trust, said aloud, unless --host-key names it"]),
		`ssh every ${BETWEEN_SECONDS} s, for at most ${options.waitSeconds ?? DEFAULT_SECONDS} s`,
	],
	async run(box) {
		const deadline = Date.now() + (box.options.waitSeconds ?? DEFAULT_SECONDS) * 1000;
		if (box.state.provider === "ec2") await running(box, deadline);
		await pinned(box, deadline);
		for (;;) {
			try {
				const hello = (await box.remote().run(HELLO, [box.state.name])).trim();
				box.update({ wait: { at: now() } });
				const { user, host } = loginOf(box.state);
				return { message: `ssh works: ${user}@${host}, ${hello}`, data: { host, system: hello } };
			} catch (error) {
				const mends = box.state.provider === "ec2" && hasCode(error) && COMING_UP.has(error.code);
				if (!mends || Date.now() >= deadline) throw error;
				box.say("it does not let us in yet");
				await box.rest(BETWEEN_SECONDS);
			}
		}
	},
};
