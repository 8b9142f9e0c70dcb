import { randomBytes } from "node:crypto";
import { CodedError } from "../../base/index.js";
import { type Box, now, type Step } from "../box.js";
import { plainWord } from "../options.js";
import { keyValues } from "../parse.js";
import { START } from "../scripts/run.js";
import { DEFAULT_HOURS } from "./launch.js";

type Start = NonNullable<Box["state"]["start"]>;

function newId(): string {
	return `${now().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}-${randomBytes(2).toString("hex")}`;
}

function modeOf({ resume = false, again = false }: Box["options"]): "new" | "again" | "resume" {
	if (resume && again)
		throw new CodedError("BAD_OPTION", "--resume goes on with a run and --again begins another: give one");
	return resume ? "resume" : again ? "again" : "new";
}

/** Whether a start that was asked for may still be on its way: then the same id is sent again, and runs once. */
function pending(box: Box, mode: string): Start | undefined {
	const { start } = box.state;
	if (start === undefined) return undefined;
	if (mode === "resume" || !start.confirmed) return start;
	return mode === "new" && (start.exitCode === undefined || start.exitCode === 0) ? start : undefined;
}

export const start: Step = {
	name: "start",
	does: "starts the workbook there, so that no log-out ends it",
	needs: ["verify"],
	plan: ({ options }) => [
		`detached on the box: npx workbook run --profile ${options.profile ?? "full"}${options.resume ? " --resume" : ""}`,
		"with an id of its own; outputs of earlier starts stay there by their ids",
	],
	async run(box) {
		const mode = modeOf(box.options);
		const { cpus = "", console = "auto" } = box.options;
		if (!/^[0-9,-]*$/.test(cpus))
			throw new CodedError("BAD_OPTION", `--cpus takes a list such as 0 or 0,2-3, got "${cpus}"`);
		const before = pending(box, mode);
		if (mode === "resume" && before === undefined) throw new CodedError("NOTHING_TO_RESUME", "no run was started");
		const profile = plainWord("--profile", box.options.profile ?? before?.profile ?? "full");
		if (before !== undefined && before.profile !== profile) {
			throw new CodedError(
				"PROFILE_DIFFERS",
				`run ${before.id} was started with profile ${before.profile}, not ${profile}`,
				{
					exitCode: 1,
					hint: "fetch it, or say --again to begin another run",
				},
			);
		}
		if (mode === "new" && before?.confirmed && before.exitCode === 0) {
			return { message: `run ${before.id} has finished already; --again begins another`, data: { id: before.id } };
		}
		const wanted = before ?? { id: newId(), at: now(), profile, confirmed: false };
		const { exitCode: _, ...rest } = wanted;
		// on disk before the box hears of it: if the answer is lost, the same id can be asked for again
		box.update({ start: { ...rest, confirmed: mode === "resume" ? false : rest.confirmed } });
		const { CONSOLE_MARK } = await import("../../lab/index.js");
		const hours = box.state.provider === "ec2" ? (box.state.launch?.maxHours ?? DEFAULT_HOURS) : undefined;
		const minutes = hours === undefined ? "" : String(Math.round(hours * 60));
		const said = keyValues(
			await box.remote().run(START, [box.state.name, wanted.id, profile, cpus, console, CONSOLE_MARK, mode, minutes]),
		);
		if (said.get("state")?.[0] === "died") {
			box.say(`run ${wanted.id} died; its outputs stay by that name`);
			box.update({ start: { ...rest, confirmed: true, exitCode: -1 } });
			return start.run(box); // with an id of its own, since this one has ended
		}
		box.update({ start: { ...rest, confirmed: true } });
		const aside = said.get("aside") ?? [];
		const already = said.get("state")?.[0] === "already";
		const line = said.get("console")?.[0];
		return {
			message: [
				already ? `run ${wanted.id} was started already` : `run ${wanted.id} goes on by itself: log out, close the lid`,
				...(line ? [`progress also on ${line}`] : []),
				...(aside.length > 0 ? [`kept beside it by their names: ${aside.join(", ")}`] : []),
			].join("; "),
			data: { id: wanted.id, profile, already, aside, console: line ?? "" },
		};
	},
};
