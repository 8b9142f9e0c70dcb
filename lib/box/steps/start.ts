import { randomBytes } from "node:crypto";
import { CodedError } from "../../base/index.js";
import { type Box, now, type Step } from "../box.js";
import { plainWord } from "../options.js";
import { keyValues } from "../parse.js";
import { START } from "../scripts/run.js";

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

/** Minutes until a rented machine's last hour, should it have forgotten it; nothing for a machine of one's own. */
function minutesLeft({ state: { launch, provider } }: Box): string {
	if (provider !== "ec2" || launch === undefined) return "";
	const gone = (Date.now() - Date.parse(launch.at)) / 60_000;
	return String(Math.max(1, Math.round(launch.maxHours * 60 - gone)));
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
		// a serial console that nobody can read from outside is not worth its line
		const { cpus = "", console = box.state.provider === "ec2" ? "auto" : "" } = box.options;
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
		const fresh: Start = { id: newId(), at: now(), profile, confirmed: false };
		const wanted: Start = before ?? (mode === "again" ? { ...fresh, again: true } : fresh);
		const asked = mode === "new" && wanted.again ? "again" : mode;
		const { exitCode: _, ...rest } = wanted;
		// on disk before the box hears of it: if the answer is lost, the same id can be asked for again
		box.update({ start: { ...rest, confirmed: mode === "resume" ? false : rest.confirmed } });
		const { CONSOLE_MARK } = await import("../../lab/index.js");
		const words = [box.state.name, wanted.id, profile, cpus, console, CONSOLE_MARK, asked, minutesLeft(box)];
		const said = keyValues(await box.remote().run(START, words));
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
