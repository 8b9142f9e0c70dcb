import { fact, partOfGain, prose } from "../report/index.js";
import { type CoreTime, type Cost, coreTimes, costs, totalFact } from "./core-time.js";
import { isControl, saturated } from "./saturation.js";
import { table, tell } from "./tell.js";
import { notMeasured, over, runsOf, type Source } from "./values.js";

/** The batched setting whose gain is explained. */
const BUS = "b32w0";

/** What an answer costs one by one and on the bus. @throws {CodedError} `NOT_MEASURED` */
export function noneAndBus(source: Source, model: string): { readonly none: CoreTime; readonly bus: CoreTime } {
	const times = coreTimes(source, model);
	const none = times.find(({ setting }) => setting === "none");
	const bus = times.find(({ setting }) => setting === BUS);
	if (none === undefined || bus === undefined) throw notMeasured(`none and ${BUS} with ${model}`, "run.saturation");
	return { none, bus };
}

/** Which part of what the bus saves is the model's, which the rest of the service's, which the client's. */
export function saved(source: Source, model: string): void {
	const { none, bus } = noneAndBus(source, model);
	const key = (setting: string, name: string) => `coreTime/${model}/${setting}/${name}`;
	const parts = [
		{ name: "model", key: "modelUs", none: none.modelUs, bus: bus.modelUs },
		{ name: "rest of the service", key: "restOfServiceUs", none: none.restUs, bus: bus.restUs },
		{ name: "client", key: "clientUs", none: none.clientUs, bus: bus.clientUs },
	];
	const rows = parts.map((part) => [
		part.name,
		prose`${fact(key("none", part.key), part.none, "µs")}`,
		prose`${fact(key(BUS, part.key), part.bus, "µs")}`,
		prose`**${fact(`minus/${key("none", part.key)};${key(BUS, part.key)}`, part.none - part.bus, "µs")}**`,
	]);
	tell(
		`One answer of \`${model}\`:\n\n${table([["", "`none`", `\`${BUS}\``, "saved"], ...rows])}\n\n${savedInWords(model, none, bus)}`,
	);
}

/** Whose saving it mostly is; right whichever way it falls. */
export function savedInWords(model: string, none: CoreTime, bus: CoreTime): string {
	const [total, ofModel] = [none.totalUs - bus.totalUs, none.modelUs - bus.modelUs];
	if (total <= 0) return `In this run \`${BUS}\` saves \`${model}\` nothing.`;
	const all = prose`Together \`${BUS}\` saves ${fact(`minus/${totalFact(model, none).key};${totalFact(model, bus).key}`, total, "µs")} an answer.`;
	return ofModel < total / 2
		? `${all} **Most of it is not the model's.** The cheaper call alone does not explain what \`${model}\` gains.`
		: `${all} **Most of it is the model's.**`;
}

/** The client is the same program in all settings; does it cost the same? */
export function client(source: Source, models: readonly string[]): void {
	const seen = models.map((model) => ({ model, ...noneAndBus(source, model) }));
	const lines = seen.map(
		({ model, none, bus }) =>
			prose`- \`${model}\`: an answer costs the client ${fact(`coreTime/${model}/none/clientUs`, none.clientUs, "µs")} with \`none\`, and ${fact(`coreTime/${model}/${BUS}/clientUs`, bus.clientUs, "µs")} with \`${BUS}\`, where on average ${fact(`saturation/${model}/${BUS}/meanBatch`, bus.meanBatch)} answers leave together.`,
	);
	tell(`${lines.join("\n")}\n\n${clientInWords(seen)}`);
}

/** Nobody changed the client. Is it cheaper where answers come together? */
export function clientInWords(seen: readonly { readonly none: Cost; readonly bus: Cost }[]): string {
	const cheaper = seen.filter(({ none, bus }) => bus.clientUs < 0.95 * none.clientUs).length;
	if (cheaper === seen.length)
		return "**The client got cheaper too, though nobody changed it.** One by one it is woken for nearly every answer: the core has to turn from the service to the client and back, and what a program had in the processor's small fast memory (the *cache*) may be pushed out before its turn comes again. On the bus the answers of a batch come together. The client wakes up once and deals with all of them.";
	return cheaper === 0
		? "The client got no cheaper, although the answers of a batch come together."
		: "Where the answers of a batch come together the client can deal with all of them in one go. With one of the models that made it cheaper, with the other it did not.";
}

/** A call inside the service against the same call alone: what it costs more counts as rest of the service. */
export function insideTheService(source: Source, models: readonly string[]): void {
	const seen = models.flatMap((model) => {
		const { bus } = noneAndBus(source, model);
		const rounds = runsOf(source, { kind: "closed", model, setting: BUS, role: "setting" }).map(({ id }) => {
			const { size, modelNs } = source.record.batches(id);
			const sum = (values: ArrayLike<number>) => Array.from(values).reduce((total, value) => total + value, 0);
			return sum(modelNs) / sum(size) / 1000;
		});
		const insideUs = over(rounds.filter(Number.isFinite));
		return insideUs === undefined ? [] : [{ model, aloneUs: bus.modelUs, insideUs }];
	});
	const lines = seen.map(
		({ model, aloneUs, insideUs }) =>
			prose`- A row of \`${model}\` with \`${BUS}\`: ${fact(`coreTime/${model}/${BUS}/modelUs`, aloneUs, "µs")} alone, ${fact(`saturation/${model}/${BUS}/modelUsPerRow`, insideUs, "µs")} inside the service.`,
	);
	tell(seen.length === 0 ? "No batch was recorded." : `${lines.join("\n")}\n\n${insideInWords(seen)}`);
}

/** Does a model cost more inside a service than alone? */
export function insideInWords(seen: readonly { readonly aloneUs: number; readonly insideUs: number }[]): string {
	return seen.every(({ aloneUs, insideUs }) => insideUs > 1.1 * aloneUs)
		? 'A call takes longer there: the core may turn to the client in the middle of it, and data that the model left in the cache may be pushed out before its turn comes again. The extra time is not in the column "model" above. As far as the service worked in it, it is in "rest of the service".'
		: "A call takes about as long there as alone, so the rest of the service is really the rest.";
}

/** What a service without any model gains when it puts its answers off. */
export function controls(source: Source, model: string): void {
	const measured = costs(source, model);
	const of = (setting: string) => measured.find((one) => one.setting === setting);
	const [none, bus, once, later] = [of("none"), of(BUS), of("nomodel"), of("nomodel-deferred")];
	if (none === undefined || bus === undefined || once === undefined || later === undefined) {
		tell(
			"This profile does not measure the two controls; `quick` and the longer ones do. So where the gain comes from stays open here.",
		);
		return;
	}
	const rates = new Map(saturated(source, model).map((one) => [one.setting, one.answersPerSecond]));
	const rows = [none, bus, once, later].map((cost) => {
		const key = `saturation/${model}/${cost.setting}`;
		return [
			`\`${cost.setting}\``,
			isControl(cost.setting) ? "no model" : `\`${model}\``,
			prose`${fact(`${key}/answersPerSecond`, Math.round(rates.get(cost.setting) ?? Number.NaN))}`,
			prose`${fact(`${key}/serviceUs`, cost.serviceUs, "µs")}`,
			prose`${fact(`${key}/clientUs`, cost.clientUs, "µs")}`,
			prose`${totalFact(model, cost)}`,
		];
	});
	tell(
		`${table([["", "model", "answers a second", "service", "client", "together"], ...rows])}\n\n${controlsInWords(model, { none, bus, once, later })}`,
	);
}

/** How much of the bus's saving the controls explain; right whichever way it falls. */
export function controlsInWords(
	model: string,
	{ none, bus, once, later }: { readonly none: Cost; readonly bus: Cost; readonly once: Cost; readonly later: Cost },
): string {
	const [byBus, byWaiting] = [none.totalUs - bus.totalUs, once.totalUs - later.totalUs];
	const less = (a: Cost, b: Cost) =>
		fact(`minus/${totalFact(model, a).key};${totalFact(model, b).key}`, a.totalUs - b.totalUs, "µs");
	const both = prose`The bus saves \`${model}\` ${less(none, bus)} an answer. Answering together, without any model, saves ${less(once, later)}.`;
	if (byBus <= 0) return `${both} So there is no gain of the bus to be explained.`;
	const share = byWaiting / byBus;
	if (share < 0.1)
		return `${both} Next to nothing: here the gain does not come from answering together, it comes with the model.`;
	return `${both} So **${partOfGain(share)} of the bus can be had without any model**: answers that are written in one go need fewer wake-ups of either program, and the code and data that they use are more often still in the cache.`;
}
