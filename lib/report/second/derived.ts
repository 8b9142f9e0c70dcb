import type { FinishedRun } from "../../record/index.js";
import { type Numbers, NumberTable } from "../numbers.js";
import type { RecordFacts } from "../source.js";
import { secondAlone, secondBits } from "./alone.js";
import { ends, middleOf, signs } from "./arithmetic.js";

type RunNumbers = ReadonlyMap<number, Numbers>;

const MEDIANS = [
	"p50Ms",
	"p90Ms",
	"p95Ms",
	"p98Ms",
	"p99Ms",
	"p999Ms",
	"answeredPerSecond",
	"meanBatch",
	"modelUsPerRow",
	"fullPercent",
	"timerPercent",
	"idlePercent",
	"deadlinePercent",
	"drainPercent",
	"realWaitMs",
	"earlyPercent",
	"beforeModelUs",
	"modelAndWaitUs",
	"afterModelUs",
	"clumpAll",
	"clumpSlowest",
	"meanMs",
	"insideByLaw",
	"insideCounted",
	"latenessP99Ms",
];

const nameOf = ({ setting, role }: FinishedRun) => (role === "aa" ? `${setting} again` : setting);
const waitOf = (name: string): number | undefined => {
	const found = /^b\d+w([\d.]+)$/.exec(name)?.[1];
	return found === undefined ? undefined : Number(found);
};

/** Runs of one cell by round, cells of one rate by setting, rates of one model, models of the sweep. */
type ByRound = Map<number, FinishedRun>;
type BySetting = Map<string, ByRound>;
type ByRate = Map<number, BySetting>;
type Sweep = Map<string, ByRate>;

function child<K, V>(map: Map<K, V>, key: K, make: () => V): V {
	const known = map.get(key);
	if (known !== undefined) return known;
	const made = make();
	map.set(key, made);
	return made;
}

function sweepOf(runs: readonly FinishedRun[]): Sweep {
	const sweep: Sweep = new Map();
	for (const run of runs) {
		if (run.kind !== "open" || run.verdict === "INVALID" || run.rateMultiple === null) continue;
		const rates = child(sweep, run.model, (): ByRate => new Map());
		const settings = child(rates, run.rateMultiple, (): BySetting => new Map());
		child(settings, nameOf(run), (): ByRound => new Map()).set(run.round, run);
	}
	return sweep;
}

class Second {
	readonly table = new NumberTable();
	readonly #facts: RecordFacts;
	readonly #numbers: RunNumbers;

	constructor(facts: RecordFacts, numbers: RunNumbers) {
		this.#facts = facts;
		this.#numbers = numbers;
	}

	#of(run: FinishedRun, name: string): number | undefined {
		return this.#numbers.get(run.id)?.get(name);
	}

	#yes(runs: Iterable<FinishedRun>, name: string): number {
		let count = 0;
		for (const run of runs) if (this.#of(run, name) === 1) count++;
		return count;
	}

	cell(key: string, runs: ByRound): void {
		this.table.put(`${key}/rounds`, runs.size);
		this.table.put(`${key}/keptUpRounds`, this.#yes(runs.values(), "keepsUp"));
		this.table.put(`${key}/growingRounds`, this.#yes(runs.values(), "growing"));
		const rates = [...runs.values()].map((run) => run.ratePerSecond ?? Number.NaN);
		this.table.put(`${key}/ratePerSecond`, middleOf(rates));
		for (const name of MEDIANS) {
			const values: number[] = [];
			for (const run of runs.values()) {
				const value = this.#of(run, name);
				if (value !== undefined) values.push(value);
			}
			if (values.length === 0) continue;
			const [low, high] = ends(values);
			this.table.put(`${key}/${name}`, middleOf(values));
			this.table.put(`${key}/${name}Low`, low);
			this.table.put(`${key}/${name}High`, high);
		}
	}

	/** first − second, round by round, where the machine did not drift. */
	differences(first: ByRound, second: ByRound, name: string): number[] {
		const found: number[] = [];
		for (const [round, run] of first) {
			const other = second.get(round);
			if (other === undefined || run.canary.drifted || other.canary.drifted) continue;
			const [a, b] = [this.#of(run, name), this.#of(other, name)];
			if (a !== undefined && b !== undefined) found.push(a - b);
		}
		return found;
	}

	pair(key: string, differences: readonly number[]): void {
		if (differences.length === 0) return;
		const rounds = differences.length;
		const [up, down] = signs(differences);
		const [low, high] = ends(differences);
		this.table.put(`${key}/median`, middleOf(differences));
		this.table.put(`${key}/low`, low);
		this.table.put(`${key}/high`, high);
		this.table.put(`${key}/agree`, Math.max(up, down));
		this.table.put(`${key}/rounds`, rounds);
		this.table.put(`${key}/coveragePercent`, 100 - 200 / 2 ** rounds);
		this.table.put(`${key}/smallestP`, rounds < 2 ? 1 : 1 / 2 ** (rounds - 1));
		if (rounds >= 5) this.table.put(`${key}/toldApart`, up === rounds ? 1 : down === rounds ? -1 : 0);
	}

	rate(model: string, rate: number, settings: BySetting): void {
		for (const [one, runs] of settings) {
			this.cell(`sweep/${model}/${one}/x${rate}`, runs);
			for (const [other, others] of settings) {
				if (one === other) continue;
				for (const name of ["p50Ms", "p99Ms"]) {
					this.pair(`pair/${model}/${one}~${other}/x${rate}/${name}`, this.differences(runs, others, name));
				}
			}
		}
		this.waits(model, rate, [...settings.keys()]);
	}

	waits(model: string, rate: number, settings: readonly string[]): void {
		if (!settings.includes("none")) return;
		const timed = settings.filter((name) => (waitOf(name) ?? 0) > 0);
		const free = settings.filter((name) => waitOf(name) === 0);
		const key = `wait/${model}/x${rate}`;
		this.table.put(`${key}/timedSettings`, timed.length);
		this.table.put(`${key}/freeSettings`, free.length);
		const apart = (one: string, other: string, name: string) =>
			this.table.numbers.get(`pair/${model}/${one}~${other}/x${rate}/${name}/toldApart`);
		let [decided, slower, alike, wins] = [true, 0, 0, 0];
		for (const name of timed) {
			const verdict = apart(name, "none", "p50Ms");
			if (verdict === undefined) decided = false;
			if (verdict === 1) slower++;
			let beaten = true;
			for (const other of free) if (other !== "b1w0" && apart(name, other, "p99Ms") !== -1) beaten = false;
			if (beaten) wins++;
		}
		for (const name of free) {
			const verdict = apart(name, "none", "p50Ms");
			if (verdict === undefined) decided = false;
			if (verdict === 0) alike++;
		}
		if (!decided) return;
		this.table.put(`${key}/timedSlower`, slower);
		this.table.put(`${key}/freeNotToldApart`, alike);
		if (free.some((name) => name !== "b1w0")) this.table.put(`${key}/timedBeatsAllFree`, wins);
	}

	self(model: string, rates: ByRate): void {
		let [alike, comparisons, expected, fewest] = [0, 0, 0, Number.POSITIVE_INFINITY];
		for (const [rate, settings] of rates) {
			const [none, again] = [settings.get("none"), settings.get("none again")];
			if (none === undefined || again === undefined) continue;
			const differences = this.differences(none, again, "p99Ms");
			const rounds = differences.length;
			if (rounds === 0) continue;
			const [up, down] = signs(differences);
			this.table.put(`aa/${model}/x${rate}/agree`, Math.max(up, down));
			this.table.put(`aa/${model}/x${rate}/rounds`, rounds);
			comparisons++;
			if (up === rounds || down === rounds) alike++;
			expected += Math.min(1, 2 / 2 ** rounds);
			fewest = Math.min(fewest, rounds);
		}
		if (comparisons === 0) return;
		this.table.put(`aa/${model}/allAgree`, alike);
		this.table.put(`aa/${model}/comparisons`, comparisons);
		this.table.put(`aa/${model}/expected`, expected);
		this.table.put(`aa/${model}/roundsEach`, fewest);
	}

	highest(model: string, rates: ByRate): void {
		const order = [...rates.keys()].sort((a, b) => a - b);
		for (const name of new Set([...rates.values()].flatMap((settings) => [...settings.keys()]))) {
			let highest = 0;
			for (const rate of order) {
				const runs = rates.get(rate)?.get(name);
				if (runs === undefined) continue;
				if (this.#yes(runs.values(), "keepsUp") < runs.size) break;
				highest = rate;
			}
			this.table.put(`sweep/${model}/${name}/highestKept`, highest);
		}
	}

	saturation(model: string): void {
		const closed = this.#facts.runs.filter(
			(run) => run.kind === "closed" && run.model === model && run.role !== "aa" && run.verdict !== "INVALID",
		);
		const wanted = closed.some((run) => run.setting === "none" && run.role !== "pace")
			? closed.filter((run) => run.role !== "pace")
			: closed;
		const bySetting = new Map<string, FinishedRun[]>();
		for (const run of wanted) child(bySetting, run.setting, (): FinishedRun[] => []).push(run);
		const rateOf = (runs: readonly FinishedRun[]) =>
			runs.map((run) => this.#of(run, "answeredPerSecond") ?? Number.NaN);
		const s = middleOf(rateOf(bySetting.get("none") ?? []));
		for (const [setting, runs] of bySetting) {
			const rates = rateOf(runs);
			const key = `saturation/${model}/${setting}`;
			const middle = middleOf(rates);
			const [low, high] = ends(rates);
			this.table.put(`${key}/answersPerSecond`, middle);
			this.table.put(`${key}/low`, low);
			this.table.put(`${key}/high`, high);
			this.table.put(`${key}/rounds`, rates.length);
			this.table.put(`${key}/timesS`, middle / s);
			const answered = (run: FinishedRun) => this.#of(run, "answered") || 1;
			const serviceUs = middleOf(runs.map((run) => run.serviceCpuUs / answered(run)));
			const clientUs = middleOf(runs.map((run) => run.clientCpuUs / answered(run)));
			this.table.put(`${key}/serviceUs`, serviceUs);
			this.table.put(`${key}/clientUs`, clientUs);
			const batches = runs.flatMap((run) => this.#of(run, "meanBatch") ?? []);
			const meanBatch = batches.length === 0 ? undefined : middleOf(batches);
			this.table.put(`${key}/meanBatch`, meanBatch);
			if (setting !== "none" && waitOf(setting) === undefined) continue;
			const modelUs = this.#modelUs(model, setting === "none" ? 1 : (meanBatch ?? 1));
			if (modelUs === undefined) continue;
			this.table.put(`coreTime/${model}/${setting}/totalUs`, 1_000_000 / middle);
			this.table.put(`coreTime/${model}/${setting}/modelUs`, modelUs);
			this.table.put(`coreTime/${model}/${setting}/restOfServiceUs`, serviceUs - modelUs);
			this.table.put(`coreTime/${model}/${setting}/clientUs`, clientUs);
			this.table.put(`coreTime/${model}/${setting}/modelSharePercent`, (modelUs * middle) / 10_000);
		}
	}

	/** A row's part of the call alone, at the measured size nearest to `rows` by ratio. */
	#modelUs(model: string, rows: number): number | undefined {
		const times = secondAlone(this.#facts.modelAlone);
		let best: { us: number; ratio: number } | undefined;
		for (const [key, us] of times) {
			const size = Number(
				new RegExp(`^alone/${model.replace(/[.*+?^$()[\]{}|\\]/g, "\\$&")}/(\\d+)/rowUs$`).exec(key)?.[1],
			);
			if (Number.isNaN(size)) continue;
			const ratio = Math.max(size / rows, rows / size);
			if (best === undefined || ratio < best.ratio) best = { us, ratio };
		}
		return best?.us;
	}

	answers(): void {
		const open = this.#facts.runs.filter((run) => run.kind === "open" && run.role !== "control");
		for (const model of new Set(this.#facts.runs.map((run) => run.model))) {
			let [runs, answered, inBatches, differing, maxUlp] = [0, 0, 0, 0, 0];
			for (const run of open) {
				if (run.model !== model) continue;
				runs++;
				answered += this.#of(run, "answered") ?? 0;
				inBatches += this.#of(run, "inBatches") ?? 0;
				differing += this.#of(run, "differing") ?? 0;
				maxUlp = Math.max(maxUlp, this.#of(run, "maxUlp") ?? 0);
			}
			for (const [name, value] of Object.entries({ runs, answered, inBatches, differing, maxUlp })) {
				this.table.put(`answers/${model}/${name}`, value);
			}
		}
	}

	quiet(): void {
		const found = { runs: 0, notQuiet: 0, drifted: 0, invalid: 0, late: 0, answers: 0, differing: 0 };
		let doubtful = 0;
		const [idle, steal, canary]: [number[], number[], number[]] = [[], [], []];
		for (const run of this.#facts.runs) {
			idle.push(run.quiet.idleShare * 100);
			if (run.stealShare !== null) steal.push(run.stealShare * 100);
			canary.push(run.canary.beforeNs + run.canary.afterNs);
			if (run.kind !== "open") continue;
			found.runs++;
			if (!run.quiet.quiet) found.notQuiet++;
			if (run.canary.drifted) found.drifted++;
			if (run.verdict === "INVALID") found.invalid++;
			if (run.verdict === "LATE") found.late++;
			if (run.canary.drifted || !run.quiet.quiet) doubtful++;
			found.answers += this.#of(run, "answered") ?? 0;
			found.differing += this.#of(run, "differing") ?? 0;
		}
		if (idle.length === 0) return;
		const [fast, slow] = ends(canary);
		for (const [name, value] of Object.entries(found)) this.table.put(`quiet/${name}`, value);
		this.table.put("quiet/doubtfulPercent", found.runs === 0 ? 0 : (doubtful / found.runs) * 100);
		this.table.put("quiet/lowestIdlePercent", ends(idle)[0]);
		if (steal.length > 0) this.table.put("quiet/largestStealPercent", ends(steal)[1]);
		this.table.put("quiet/canarySpreadPercent", ((slow - fast) / fast) * 100);
		this.journal();
	}

	journal(): void {
		const [lines, runs] = [new Map<string, number>(), new Map<string, number>()];
		for (const { quiet } of this.#facts.runs) {
			if (typeof quiet.journal === "string") continue;
			for (const [source, count] of Object.entries(quiet.journal)) {
				lines.set(source, (lines.get(source) ?? 0) + count);
				runs.set(source, (runs.get(source) ?? 0) + (count > 0 ? 1 : 0));
			}
		}
		for (const [source, count] of lines) this.table.put(`journal/${source}/lines`, count);
		for (const [source, count] of runs) this.table.put(`journal/${source}/runs`, count);
	}

	/** Ratios of numbers that are in the table already. */
	ratios(): void {
		for (const [key, value] of [...this.table.numbers]) {
			const deferred = /^saturation\/(.+)\/nomodel-deferred\/answersPerSecond$/.exec(key)?.[1];
			if (deferred !== undefined) {
				const once = this.table.numbers.get(`saturation/${deferred}/nomodel/answersPerSecond`);
				this.table.put(`controls/${deferred}/deferredTimes`, value / (once ?? Number.NaN));
			}
			const cell = /^sweep\/(.+)\/insideCounted$/.exec(key)?.[1];
			if (cell === undefined) continue;
			this.table.put(
				`little/${cell}/ratio`,
				value / (this.table.numbers.get(`sweep/${cell}/insideByLaw`) ?? Number.NaN),
			);
		}
	}
}

/** Every derived number of a record once more, from the second numbers of its runs, with the report's own arithmetic. */
export function secondDerived(facts: RecordFacts, numbers: RunNumbers): Numbers {
	const second = new Second(facts, numbers);
	for (const [key, value] of [...secondAlone(facts.modelAlone), ...secondBits(facts.bitChecks)])
		second.table.put(key, value);
	for (const [model, rates] of sweepOf(facts.runs)) {
		for (const [rate, settings] of rates) {
			second.rate(model, rate, settings);
			for (const runs of settings.values())
				second.table.put(`rule/luckPercent/${runs.size}`, 100 * Math.min(1, 2 / 2 ** runs.size));
		}
		second.self(model, rates);
		second.highest(model, rates);
	}
	for (const model of new Set(facts.runs.map((run) => run.model))) second.saturation(model);
	second.answers();
	second.quiet();
	second.ratios();
	return second.table.numbers;
}
