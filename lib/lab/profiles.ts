import { CodedError } from "../base/index.js";

/** What one model of a profile does differently from the others. */
export interface ModelOverride {
	readonly settings?: readonly string[];
	readonly rateMultiples?: readonly number[];
	readonly saturationSettings?: readonly string[];
}

/** How much is measured, and how carefully. Everything can be set; {@link PROFILES} is the one table of defaults. */
export interface Profile {
	readonly name: string;
	/** `gbt`, `ft`, `mlp`, or the path of an .onnx file. */
	readonly models: readonly string[];
	/** Settings of the sweep. `none` must be among them: everything is compared with it. */
	readonly settings: readonly string[];
	/** `none` a second time in every round, to show what no difference looks like. */
	readonly againstItself: boolean;
	/** `nomodel` and `nomodel-deferred`, without a model. */
	readonly controls: boolean;
	/** Rates as multiples of S. */
	readonly rateMultiples: readonly number[];
	/** By model name. */
	readonly perModel: Readonly<Record<string, ModelOverride>>;
	readonly rounds: number;
	/** Length of the scheduled arrivals of a run. */
	readonly arrivalSeconds: number;
	/** A look at the measured core before each run takes this long and must find it idle. */
	readonly quietSeconds: number;
	readonly quietIdleShare: number;
	/** How long one run waits for a quiet machine, and how long all runs of a schedule wait together. */
	readonly quietWaitSeconds: number;
	readonly quietPatienceSeconds: number;
	/** Not counted: fresh processes compile their code in the first second. */
	readonly warmupSeconds: number;
	/** How long answers are waited for after the last arrival. */
	readonly drainSeconds: number;
	/** Kept-alive connections of the open loop, at most. */
	readonly connections: number;
	readonly closedConnections: number;
	/** Length of counting of a closed-loop run. */
	readonly closedSeconds: number;
	/** What `saturation` measures, interleaved, in this many rounds. */
	readonly saturationSettings: readonly string[];
	readonly saturationRounds: number;
	/** `each-round`: S at the start of every round sets that round's rates. `once`: S is measured before the first. */
	readonly pace: "each-round" | "once";
	/** `timer` is cheap, `precise` wants a core of its own. */
	readonly pacing: "timer" | "precise";
	/** One core for client and service, or a core each. */
	readonly topology: "shared" | "separate";
	/** A run whose canary differs by more than this, before against after or against its round, is measured again. */
	readonly canaryDrift: number;
	/** At most this share of the schedule is measured again. */
	readonly rerunShare: number;
	/** The round that keeps the stage stamps of every request; 0: none. */
	readonly stampsRound: number;
	/** Part A: sizes, fresh processes, and the calls a size gets: at most so many, in at most so long. */
	readonly aloneSizes: readonly number[];
	readonly aloneRounds: number;
	readonly aloneCalls: number;
	readonly aloneBudgetMs: number;
	/** Bit check: how many test rows (0: all), and the batch sizes. */
	readonly bitRows: number;
	readonly bitSizes: readonly number[];
	readonly seed: number;
}

export const LESSON_RATES: readonly number[] = [0.5, 0.8, 1, 1.25, 1.6, 2, 2.5];
const POWERS: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/** The lesson's 17 settings: no batcher, the batcher's machinery alone, and B of 8, 32, 128 with W of 0, 1, 2, 5, 10 ms. */
export const LESSON_SETTINGS: readonly string[] = [
	"none",
	"b1w0",
	...[8, 32, 128].flatMap((cap) => [0, 1, 2, 5, 10].map((wait) => `b${cap}w${wait}`)),
];

const quick: Profile = {
	name: "quick",
	models: ["gbt", "ft"],
	settings: ["none", "b32w0", "b32w2"],
	againstItself: true,
	controls: false,
	rateMultiples: [0.5, 1, 1.6],
	perModel: {
		// much of what `gbt` gains is not its model's: the controls show what the rest of a request gains by itself
		gbt: { saturationSettings: ["none", "b32w0", "nomodel", "nomodel-deferred"] },
		// below and above the rate where `ft` alone falls behind; half of S is the quiet side of every comparison
		ft: { rateMultiples: [0.5, 1.6] },
	},
	rounds: 3,
	arrivalSeconds: 1,
	quietSeconds: 0.5,
	quietIdleShare: 0.95,
	quietWaitSeconds: 5,
	quietPatienceSeconds: 30,
	warmupSeconds: 1.5,
	drainSeconds: 20,
	// each takes time to open, and latency counts from the scheduled arrival whether a request waits for a connection or not
	connections: 128,
	closedConnections: 16,
	closedSeconds: 1,
	saturationSettings: ["none", "b32w0"],
	saturationRounds: 3,
	pace: "each-round",
	pacing: "timer",
	topology: "shared",
	canaryDrift: 0.1,
	rerunShare: 0.2,
	stampsRound: 1,
	aloneSizes: POWERS,
	aloneRounds: 3,
	aloneCalls: 2000,
	aloneBudgetMs: 60,
	bitRows: 4000,
	bitSizes: POWERS.slice(1),
	seed: 20261004,
};

/** The table of DESIGN.md. */
export const PROFILES: Readonly<Record<string, Profile>> = {
	smoke: {
		...quick,
		name: "smoke",
		settings: ["none", "b32w0"],
		againstItself: false,
		rateMultiples: [0.5, 1.25],
		perModel: {},
		rounds: 1,
		arrivalSeconds: 0.5,
		quietSeconds: 0.1,
		quietWaitSeconds: 0.5,
		quietPatienceSeconds: 2,
		warmupSeconds: 0.3,
		connections: 64,
		closedSeconds: 0.5,
		saturationRounds: 1,
		rerunShare: 0,
		aloneSizes: POWERS.slice(0, 9),
		aloneRounds: 2,
		aloneBudgetMs: 15,
		bitRows: 500,
		bitSizes: [2, 7, 32],
	},
	quick,
	standard: {
		...quick,
		name: "standard",
		connections: 512,
		settings: ["none", "b1w0", "b8w0", "b32w0", "b32w1", "b32w2", "b128w0"],
		controls: true,
		rateMultiples: [0.5, 0.8, 1, 1.25, 1.6, 2],
		perModel: {},
		rounds: 5,
		arrivalSeconds: 2,
		quietSeconds: 1,
		quietWaitSeconds: 20,
		quietPatienceSeconds: 600,
		warmupSeconds: 2,
		drainSeconds: 60,
		closedSeconds: 2,
		saturationSettings: ["none", "b1w0", "b8w0", "b32w0", "nomodel", "nomodel-deferred"],
		saturationRounds: 5,
		aloneRounds: 5,
		aloneBudgetMs: 300,
		bitRows: 0,
	},
	full: {
		...quick,
		name: "full",
		connections: 512,
		models: ["gbt"],
		settings: LESSON_SETTINGS,
		controls: true,
		rateMultiples: LESSON_RATES,
		perModel: {},
		rounds: 5,
		arrivalSeconds: 8,
		quietSeconds: 2,
		quietWaitSeconds: 60,
		quietPatienceSeconds: 1800,
		warmupSeconds: 2,
		drainSeconds: 120,
		closedSeconds: 8,
		saturationSettings: ["none", "b1w0", "b8w0", "b32w0", "nomodel", "nomodel-deferred"],
		saturationRounds: 5,
		pace: "once",
		aloneRounds: 5,
		aloneBudgetMs: 5000,
		bitRows: 0,
		bitSizes: Array.from({ length: 1023 }, (_, i) => i + 2),
	},
};

/** @throws {CodedError} `UNKNOWN_PROFILE` */
export function profileNamed(name: string): Profile {
	const profile = Object.hasOwn(PROFILES, name) ? PROFILES[name] : undefined;
	if (profile !== undefined) return profile;
	throw new CodedError("UNKNOWN_PROFILE", `unknown profile "${name}"; expected ${Object.keys(PROFILES).join(", ")}`);
}
