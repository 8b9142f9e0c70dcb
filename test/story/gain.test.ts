import assert from "node:assert/strict";
import { test } from "node:test";
import { openRecord } from "batching-lab/record";
import {
	type CoreTime,
	type Cost,
	client,
	clientInWords,
	controlChart,
	controls,
	controlsInWords,
	coreTime,
	gradeExercise,
	idleInWords,
	insideInWords,
	noneAndBus,
	saturation,
	saturationChart,
	saved,
	savedInWords,
} from "batching-lab/story";
import { COLUMNS, newRun, result } from "../record/fixture.js";
import { makeLab, scratch } from "../report/lab.js";
import { emptyRecord, heard } from "./record.js";
import { read } from "./words.js";

const cost = (setting: string, serviceUs: number, clientUs: number, meanBatch = 1): Cost => ({
	setting,
	serviceUs,
	clientUs,
	totalUs: serviceUs + clientUs,
	meanBatch,
});
const time = (setting: string, modelUs: number, restUs: number, clientUs: number, wallUs = 0): CoreTime => ({
	...cost(setting, modelUs + restUs, clientUs),
	model: "gbt",
	wallUs,
	modelUs,
	restUs,
});

test("whose saving it is follows the parts: the model's, not the model's, or nobody's", () => {
	const none = time("none", 10.8, 68.9, 49.3);
	const words = (bus: CoreTime) => read(savedInWords("gbt", none, bus));
	assert.match(words(time("b32w0", 2.7, 46.8, 29)), /saves 50\.5 µs an answer\. Most of it is not the model's/);
	assert.match(words(time("b32w0", 2.7, 66, 48)), /saves 12\.3 µs an answer\. Most of it is the model's/);
	assert.match(words(time("b32w0", 2.7, 90, 49.3)), /saves gbt nothing/);
});

test("the client got cheaper, got no cheaper, or did so with one model only", () => {
	const none = cost("none", 80, 49);
	const cheap = cost("b32w0", 50, 29, 10);
	const dear = cost("b32w0", 50, 49, 10);
	assert.match(clientInWords([{ none, bus: cheap }]), /got cheaper too/);
	assert.match(clientInWords([{ none, bus: dear }]), /got no cheaper/);
	assert.match(
		clientInWords([
			{ none, bus: cheap },
			{ none, bus: dear },
		]),
		/one of the models .* with the other it did not/,
	);
});

test("what the controls explain of the gain is said in every case", () => {
	const [none, bus, once] = [cost("none", 80, 49), cost("b32w0", 50, 29), cost("nomodel", 70, 45)];
	const words = (later: Cost, of: Cost = bus) => read(controlsInWords("gbt", { none, bus: of, once, later }));
	const later = (totalUs: number) => cost("nomodel-deferred", totalUs - 20, 20);
	assert.match(words(later(115)), /saves gbt 50 µs an answer\. .* saves 0 µs\. Next to nothing/);
	assert.match(words(later(130)), /saves -15 µs\. Next to nothing/);
	assert.match(words(later(105)), /a smaller part of the gain of the bus can be had without any model/);
	assert.match(words(later(90)), /about half of the gain/);
	assert.match(words(later(80)), /most of the gain/);
	assert.match(words(later(70)), /So nearly the whole gain/);
	assert.match(words(later(65)), /So as much as the whole gain/);
	assert.match(words(later(60)), /So more than the whole gain/);
	assert.match(words(later(60), cost("b32w0", 90, 49)), /no gain of the bus to be explained/);
});

test("a core that was never idle, and one that was", () => {
	assert.match(
		read(idleInWords(time("none", 10, 70, 49, 130))),
		/130 µs, and the two programs used 129 µs .* no pause/,
	);
	assert.match(read(idleInWords(time("none", 10, 70, 20, 130))), /did something else, or nothing/);
	assert.match(read(idleInWords(time("none", 10, 70, 52, 130))), /as far as two ways of measuring agree, .* no pause/);
	assert.match(read(idleInWords(time("none", 40, 70, 90, 130))), /more than one core has/);
});

test("a call inside the service is slower than alone, or it is not", () => {
	assert.match(insideInWords([{ aloneUs: 2.7, insideUs: 9.5 }]), /takes longer there/);
	assert.match(insideInWords([{ aloneUs: 2.7, insideUs: 2.8 }]), /about as long there as alone/);
});

test("the tables of notebook 03 come from the record, with the controls in a picture of their own", async (t) => {
	const record = openRecord(`${makeLab(scratch(t))}/lab.sqlite`);
	t.after(() => record.close());
	const source = { record };
	assert.doesNotMatch(
		heard(() => saturation(source, "gbt")),
		/nomodel/,
	);
	assert.match(
		heard(() => coreTime(source, ["gbt"])),
		/gbt none \|.*\| 35 µs \| 147 µs \|/,
	);
	assert.match(
		heard(() => saved(source, "ft")),
		/\| client \| 35 µs \| 35 µs \| 0 µs \|/,
	);
	assert.match(
		heard(() => client(source, ["gbt"])),
		/gbt: an answer costs the client 35 µs with none, and 35 µs with b32w0/,
	);
	assert.match(
		heard(() => controls(source, "gbt")),
		/nomodel-deferred \| no model \|/,
	);
	assert.doesNotMatch(saturationChart(source, ["gbt"]).alt, /nomodel/);
	assert.match(controlChart(source, "gbt")?.alt ?? "", /gbt none .*gbt b32w0 .*gbt nomodel .*gbt nomodel-deferred/);

	const { none, bus } = noneAndBus(source, "ft");
	const right = none.totalUs - bus.totalUs - (none.modelUs - bus.modelUs);
	assert.equal((await gradeExercise(source, "03", 2, right)).right, true);
	assert.equal((await gradeExercise(source, "03", 2, none.totalUs - bus.totalUs)).right, false);
	assert.equal((await gradeExercise(source, "03", 1, 3)).right, true);
	assert.equal((await gradeExercise(source, "03", 1, 2)).right, false);
});

test("without controls the notebook says that they were not measured", (t) => {
	const { record, startId } = emptyRecord(t);
	for (const setting of ["none", "b32w0"]) {
		const run = newRun(startId, { kind: "closed", setting, rateMultiple: null });
		record.finishRun(record.beginRun(run).id, result(), COLUMNS);
	}
	assert.equal(controlChart({ record }, "gbt"), null);
	assert.match(
		heard(() => controls({ record }, "gbt")),
		/does not measure the two controls/,
	);
});
