import { partOfGain } from "../part-of-gain.js";
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
	const markdown = `What an answer costs the core when the service answers as fast as it can. *Model* is the call alone, as in notebook \`01\`, shared by the rows of a batch; *rest of the service* is reading the request, checking it, looking the customer up and writing the answer.\n\n${parts.join("\n\n")}\n\n${controls(context)}`;
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
		const rest = setting.startsWith("nomodel") ? `${key}/serviceUs` : `${core}/restOfServiceUs`;
		return [
			code(setting),
			context.show(`${key}/answersPerSecond`),
			context.show(`${key}/timesS`, "× S"),
			context.show(`${core}/modelUs`, "µs", "–"),
			...[rest, `${key}/clientUs`, `${key}/coreUs`].map((name) => context.show(name, "µs", "–")),
		];
	});
	const head = ["", "answers a second", "of S", "model, an answer", "rest of the service", "client", "together"];
	const lesson =
		model === "gbt"
			? ` The lesson's S, with Python on another machine, was ${context.lesson(`saturation/${model}/none/answersPerSecond`)}.`
			: "";
	return `**${code(model)}**\n\n${table([head, ...rows])}\n\n${saved(context, model)}${lesson}`;
}

/** One number of two settings subtracted, with the keys of both. */
function less(context: Context, first: string, second: string): { readonly us: number; readonly text: string } {
	const us = (context.value(first) ?? Number.NaN) - (context.value(second) ?? Number.NaN);
	return { us, text: Number.isNaN(us) ? "" : context.minus(first, second, us, "µs") };
}

const coreOf = (model: string, setting: string) => `saturation/${model}/${setting}/coreUs`;

/** Which part of an answer the batched setting made cheaper, and by how much. */
function saved(context: Context, model: string): string {
	const setting = mainBatched(context, model) ?? "b32w0";
	const [alone, batched] = [`coreTime/${model}/none`, `coreTime/${model}/${setting}`];
	const total = less(context, coreOf(model, "none"), coreOf(model, setting));
	const [inModel, rest, client] = ["modelUs", "restOfServiceUs", "clientUs"].map((name) =>
		less(context, `${alone}/${name}`, `${batched}/${name}`),
	);
	if (inModel === undefined || rest === undefined || client === undefined) return "";
	if ([total, inModel, rest, client].some(({ us }) => Number.isNaN(us))) return "";
	if (total.us <= 0) return `In this run ${code(setting)} saves ${code(model)} nothing.`;
	const most =
		inModel.us < total.us / 2
			? "**Most of it is not the model's**: what is read, answered and received together costs the service and the client less work each."
			: "**Most of it is the model's**: that is what batching is meant for.";
	return `With ${code(setting)} an answer costs the core ${total.text} less than with ${code("none")}: ${inModel.text} in the model, ${rest.text} in the rest of the service, ${client.text} in the client. ${most}`;
}

/** What the controls say about where the gain comes from. */
function controls(context: Context): string {
	const said = context.models.flatMap((model) => {
		const times = `controls/${model}/deferredTimes`;
		if (context.value(times) === undefined) return [];
		return [
			`**Controls.** ${code("nomodel-deferred")} gave ${context.show(times, "times")} as many answers as ${code("nomodel")}. ${meaning(context, model)}`,
		];
	});
	return said.length > 0
		? said.join("\n\n")
		: `**Controls.** This run did not measure the two settings that answer without a model (${code("nomodel")}, ${code("nomodel-deferred")}), so how much of the gain would be there with no model at all stays open.`;
}

/** How much of the bus's saving is there without any model. */
function meaning(context: Context, model: string): string {
	const setting = mainBatched(context, model) ?? "b32w0";
	const bus = less(context, coreOf(model, "none"), coreOf(model, setting));
	const waiting = less(context, coreOf(model, "nomodel"), coreOf(model, "nomodel-deferred"));
	if (Number.isNaN(bus.us) || Number.isNaN(waiting.us)) return "";
	const both = `${code(setting)} saves ${code(model)} ${bus.text} an answer; answering together, without any model, saves ${waiting.text}.`;
	if (bus.us <= 0) return `${both} So there is no gain of the bus to be explained.`;
	const share = waiting.us / bus.us;
	if (share < 0.1) return `${both} Next to nothing: here the gain comes with the model.`;
	return `${both} So **${partOfGain(share)} of the bus can be had without any model.**`;
}
