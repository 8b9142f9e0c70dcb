import { CodedError } from "../../base/index.js";
import type { Box, Outcome, Step } from "../box.js";
import { exitCodeOf, keyValues, plain } from "../parse.js";
import { PROGRESS } from "../scripts/run.js";
import { goneNow } from "./gone.js";

const LINES = 12;
const BETWEEN_SECONDS = 30;

interface Look {
	readonly lines: readonly string[];
	/** Undefined while the run goes on, or where that cannot be told. */
	readonly exitCode: number | undefined;
}

async function byConsole(box: Box): Promise<Look> {
	const id = box.state.launch?.instanceId;
	if (id === undefined)
		throw new CodedError("NO_MACHINE", "no machine is rented", { hint: "`npx workbook box launch`" });
	const { CONSOLE_MARK } = await import("../../lab/index.js");
	const cloud = await box.cloud();
	const lines = (await cloud.consoleOutput(id)).split(/\r?\n/).flatMap((line) => {
		const at = line.indexOf(`${CONSOLE_MARK} `);
		return at < 0 ? [] : [plain(line.slice(at + CONSOLE_MARK.length + 1))];
	});
	const ended = lines.filter((line) => line.startsWith(`start ${box.state.start?.id}: ended, exit code `)).at(-1);
	if (ended !== undefined) return { lines: lines.slice(-LINES), exitCode: exitCodeOf(ended.split(" ").at(-1) ?? "") };
	// the console of a machine that is gone stays as it was: without this look `--follow` would wait for ever
	const gone = goneNow(box, id, await cloud.machine(id));
	if (gone !== undefined) throw gone;
	return { lines: lines.slice(-LINES), exitCode: undefined };
}

async function byLogin(box: Box): Promise<Look> {
	const said = keyValues(await box.remote().run(PROGRESS, [box.state.name, String(LINES)]));
	const run = said.get("run")?.[0] ?? "";
	if (run !== box.state.start?.id) {
		throw new CodedError(
			"RUN_UNKNOWN",
			`the box knows ${run === "" ? "no run" : `run ${run}`}, not ${box.state.start?.id}`,
			{
				exitCode: 1,
				hint: "`npx workbook box start` sends it again",
			},
		);
	}
	const exit = said.get("exit")?.[0];
	const lines = (said.get("line") ?? []).map(plain);
	return { lines, exitCode: exit === undefined ? undefined : exitCodeOf(exit) };
}

export const watch: Step = {
	name: "watch",
	does: "shows progress from the serial console (--ssh: by logging in)",
	needs: ["start"],
	plan: ({ state, options }) => [
		options.ssh || state.provider === "ssh"
			? "ssh: the last lines of progress.log and whether the run goes on"
			: "EC2 GetConsoleOutput: its last progress lines; nobody logs in",
	],
	async run(box): Promise<Outcome> {
		const { provider, start } = box.state;
		if (provider === "ssh" && !box.options.ssh) {
			throw new CodedError("NO_CONSOLE", "this provider has no serial console that can be read from outside", {
				hint: "`watch --ssh` logs in, which takes a moment of the measured core",
			});
		}
		let shown: readonly string[] = [];
		for (;;) {
			const { lines, exitCode } = await (box.options.ssh ? byLogin(box) : byConsole(box));
			if (exitCode !== undefined && start !== undefined) box.update({ start: { ...start, exitCode } });
			if (!box.options.follow || exitCode !== undefined) {
				const how =
					exitCode === undefined
						? "it goes on"
						: exitCode === 0
							? "it has finished"
							: `it failed (${exitCode < 0 ? "it died" : `exit code ${exitCode}`})`;
				return {
					message: [...lines, `run ${start?.id}: ${lines.length === 0 ? "no progress line yet; " : ""}${how}`].join(
						"\n",
					),
					data: { lines, exitCode: exitCode ?? null },
				};
			}
			for (const line of lines.filter((one) => !shown.includes(one))) box.say(line);
			shown = lines;
			await box.rest(BETWEEN_SECONDS);
		}
	},
};
