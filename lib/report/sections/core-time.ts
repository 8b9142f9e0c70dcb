import { table } from "../table.js";
import { mainBatched } from "./answer.js";
import { type Context, code, type Section } from "./context.js";

/** Saturation, where a core's time goes, and what the controls without a model say. */
export function saturation(context: Context): Section | null {
	const parts = context.models.flatMap((model) => {
		const settings = settingsOf(context, model);
		return settings.length === 0 ? [] : [part(context, model, settings)];
	});
	if (parts.length === 0) return null;
	const markdown = `At saturation the core never rests: its whole second goes into the answers of that second. *Model* is the call alone, as in notebook \`01\`, shared by the rows of a batch; *rest of the service* is reading the request, checking it, looking the customer up and writing the answer.\n\n${parts.join("\n\n")}\n\n${controls(context)}`;
	return { id: "saturation", title: "Where the core's time goes", markdown, addedLater: false };
}

function settingsOf(context: Context, model: string): string[] {
	return [...context.computed.numbers.keys()].flatMap((key) => {
		const [family, of, setting, name] = key.split("/");
		const own = family === "saturation" && of === model && name === "answersPerSecond";
		return own && setting !== undefined ? [setting] : [];
	});
}

function part(context: Context, model: string, settings: readonly string[]): string {
	const rows = settings.map((setting) => {
		const [key, core] = [`saturation/${model}/${setting}`, `coreTime/${model}/${setting}`];
		const control = setting.startsWith("nomodel");
		return [
			code(setting),
			context.show(`${key}/answersPerSecond`),
			context.show(`${key}/timesS`, "× S"),
			context.show(`${core}/modelUs`, "µs", "–"),
			control ? context.show(`${key}/serviceUs`, "µs", "–") : context.show(`${core}/restOfServiceUs`, "µs", "–"),
			context.show(`${key}/clientUs`, "µs", "–"),
		];
	});
	const head = ["", "answers a second", "of S", "model, an answer", "rest of the service", "client"];
	const lesson =
		model === "gbt"
			? ` The lesson's S, with Python on another machine, was ${context.lesson(`saturation/${model}/none/answersPerSecond`)}.`
			: "";
	return `**${code(model)}**\n\n${table([head, ...rows])}\n\n${saved(context, model)}${lesson}`;
}

/** Which part of an answer the batched setting made cheaper, and by how much. */
function saved(context: Context, model: string): string {
	const setting = mainBatched(context, model) ?? "b32w0";
	const [alone, batched] = [`coreTime/${model}/none`, `coreTime/${model}/${setting}`];
	const less = (name: string) => {
		const [before, after] = [context.value(`${alone}/${name}`), context.value(`${batched}/${name}`)];
		return before === undefined || after === undefined ? undefined : before - after;
	};
	const names = ["totalUs", "modelUs", "restOfServiceUs", "clientUs"] as const;
	const [total, inModel, rest, client] = names.map(less);
	if (total === undefined || inModel === undefined || rest === undefined || client === undefined) return "";
	const shown = (name: string, value: number) => context.minus(`${alone}/${name}`, `${batched}/${name}`, value, "µs");
	if (total <= 0) return `With ${code(setting)} an answer costs no less than with ${code("none")} here.`;
	const largest = Math.max(inModel, rest, client);
	const most =
		largest === inModel
			? "The model's part is the largest of these: that is what batching is meant for."
			: "Most of it is *not* the model's. The likely reason: requests that are read, answered and received together cost the service and the client less work each.";
	return `With ${code(setting)} an answer costs ${shown("totalUs", total)} less than with ${code("none")}: ${shown("modelUs", inModel)} in the model, ${shown("restOfServiceUs", rest)} in the rest of the service, ${shown("clientUs", client)} in the client. ${most}`;
}

/** What the controls say about where the gain comes from. */
function controls(context: Context): string {
	const said = context.models.flatMap((model) => {
		const times = `controls/${model}/deferredTimes`;
		const deferred = context.value(times);
		if (deferred === undefined) return [];
		const [once, later] = ["nomodel", "nomodel-deferred"].map((name) => `saturation/${model}/${name}`);
		const rates = `${code("nomodel")} gave ${context.show(`${once}/answersPerSecond`)} answers a second, ${code("nomodel-deferred")} ${context.show(`${later}/answersPerSecond`)}, ${context.show(times, "times")} as many`;
		return [
			`**Controls.** Two settings answer without any model: ${code("nomodel")} at once, in the handler; ${code("nomodel-deferred")} from the later turn of the event loop in which batches leave. Beside ${code(model)}, ${rates}. ${meaning(context, model, deferred)}`,
		];
	});
	return said.length > 0
		? said.join("\n\n")
		: `**Controls.** This run did not measure the two settings that answer without a model (${code("nomodel")}, ${code("nomodel-deferred")}), so how much of the gain would be there with no model at all stays open.`;
}

function meaning(context: Context, model: string, deferred: number): string {
	const setting = mainBatched(context, model) ?? "b32w0";
	const gain = context.value(`saturation/${model}/${setting}/timesS`);
	if (deferred <= 1.05)
		return "So answering together gains next to nothing by itself, and what batching gains has to do with the model.";
	if (gain === undefined) return "So answering together gains something even where there is no model to share.";
	const gains = context.show(`saturation/${model}/${setting}/timesS`, "times");
	return deferred >= gain
		? `${code(setting)} gains no more than that (${gains}), so its gain may have nothing to do with the model.`
		: `${code(setting)} gains ${gains}: part of that is there without any model, since what waits is read and answered together, and only the rest is the model's.`;
}
