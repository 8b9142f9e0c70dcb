import { type Context, code, type Section } from "./context.js";
import { againstNone, keptWords, rateWords } from "./words.js";

/** What batching does for a model: moves the limit, only raises the most it answers, nothing, or harm. */
export type Payoff = "much" | "little" | "nothing" | "harm" | "unknown";

/** The batched setting that stands for batching: no timed wait and the usual cap, or the first there is. */
export function mainBatched(context: Context, model: string): string | undefined {
	const batched = context.batchedOf(model);
	return batched.includes("b32w0") ? "b32w0" : (batched.find((name) => name.endsWith("w0")) ?? batched[0]);
}

/** A tenth more answers than S is the least that is worth a queue and a timer; and no round may have fewer than S. */
const WORTH_TIMES = 1.1;

/** `none` counts with the better of its two measurements, so that luck does not make batching pay. */
export function payoffOf(context: Context, model: string): Payoff {
	const setting = mainBatched(context, model);
	const kept = (name: string) => context.value(`sweep/${model}/${name}/highestKept`);
	const none = kept("none");
	const batched = setting === undefined ? undefined : kept(setting);
	if (none === undefined || batched === undefined) return "unknown";
	const best = Math.max(none, kept("none again") ?? 0);
	if (batched > best) return "much";
	if (batched < none) return "harm";
	const times = context.value(`saturation/${model}/${setting}/timesS`);
	const lowest = context.value(`saturation/${model}/${setting}/timesSLow`) ?? times;
	return times !== undefined && times > WORTH_TIMES && (lowest ?? 0) > 1 ? "little" : "nothing";
}

function secondLook(context: Context, model: string): string {
	const [first, again] = ["none", "none again"].map((name) => context.value(`sweep/${model}/${name}/highestKept`));
	return again === undefined || again === first
		? ""
		: ` Measured a second time, ${keptWords(context, model, "none again").replace("`none again`", "`none`")}.`;
}

function when(context: Context, models: readonly string[]): string {
	const pays = models.filter((model) => ["much", "little"].includes(payoffOf(context, model)));
	const head =
		pays.length === 0
			? "In this run it paid for no model:"
			: "When traffic comes near S, the most the service answers one by one, or goes above it:";
	const lines = models.map((model) => {
		const setting = mainBatched(context, model);
		const batched = setting === undefined ? "" : `; ${keptWords(context, model, setting)}`;
		return `- ${code(model)}: ${keptWords(context, model, "none")}${batched}.${secondLook(context, model)}`;
	});
	return `**When does it pay?** ${head}\n\n${lines.join("\n")}`;
}

function cost(context: Context, models: readonly string[]): string {
	const lines = models.flatMap((model) => {
		const rate = context.quietRateOf(model);
		if (rate === undefined) return [];
		const changes = context
			.batchedOf(model)
			.filter((name) => name === mainBatched(context, model) || name === "b32w2")
			.map((name) => `${code(name)} ${againstNone(context, model, name, rate, "p50Ms")}`);
		return [`- ${code(model)} at ${rateWords(rate)}, the typical (median) latency: ${changes.join("; ")}.`];
	});
	const bits = models.flatMap((model) => {
		const rows = `bits/${model}/rows`;
		if (context.value(rows) === undefined) return [];
		return [
			`${code(model)} changed the score of ${context.show(`bits/${model}/worstDifferingRows`)} of ${context.show(rows)} rows in company`,
		];
	});
	const said = `${bits.length === 0 ? "" : `\n- Bits: ${bits.join("; ")}.`}\n- Code: a queue and a timer more, which somebody has to understand.`;
	return `**What does it cost?** A bus that waits on purpose asks its riders to wait. Where it was quiet, against \`none\` on the same arrivals, that came to:\n\n${lines.join("\n")}\n\nIt also costs:\n${said}`;
}

const VERDICTS: Readonly<Record<Payoff, string>> = {
	much: "**yes.** It moves the point at which the service falls behind.",
	little:
		"**a little.** At the rates tried both fell behind at the same point, yet the batched service can answer more.",
	nothing: "**no.** At the rates tried it makes no difference to when the service falls behind.",
	harm: "**no.** The batched service fell behind earlier.",
	unknown: "**open.** This run has no valid measurement that would settle it.",
};

function roundByRound(context: Context, times: string): string {
	return (context.value(`${times}Rounds`) ?? 0) < 2
		? ""
		: ` (round by round from ${context.show(`${times}Low`)} to ${context.show(`${times}High`)})`;
}

function roundsWords(context: Context): string {
	const rounds = context.value("limits/rounds") ?? 1;
	return rounds === 1 ? "one round" : `${context.show("limits/rounds")} rounds`;
}

function which(context: Context, models: readonly string[]): string {
	const lines = models.map((model) => {
		const setting = mainBatched(context, model) ?? "b32w0";
		const times = `saturation/${model}/${setting}/timesS`;
		const most =
			context.value(times) === undefined
				? ""
				: ` At most, ${code(setting)} answers ${context.show(times, "times")} as many as \`none\`${roundByRound(context, times)}.`;
		return `- ${code(model)}: ${VERDICTS[payoffOf(context, model)]}${most}`;
	});
	return `**For which of the models?** As seen in this run's ${roundsWords(context)}:\n\n${lines.join("\n")}`;
}

/** More disturbed runs than this, %, and no answer is worth much. */
const DISTURBED_PERCENT = 20;

function disturbed(context: Context): string[] {
	const key = "quiet/doubtfulPercent";
	return (context.value(key) ?? 0) > DISTURBED_PERCENT
		? [
				`**Read all of this with care**: ${context.show(key, "%")} of the runs were disturbed by other programs, or by a machine that changed its speed. Measure again on a quiet one before you believe an answer.`,
			]
		: [];
}

/** The workbook's question in three parts, each answered from the record. */
export function answer(context: Context): Section | null {
	const models = context.models.filter((model) => context.ratesOf(model).length > 0);
	if (models.length === 0) return null;
	const parts = [when(context, models), cost(context, models), which(context, models)];
	const markdown = [...disturbed(context), ...parts].join("\n\n");
	return { id: "answer", title: "The answer in short", markdown, addedLater: false };
}
