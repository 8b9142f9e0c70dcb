/** What the notebooks say: sentences computed from the record, the game, the exercises. */

export { callTimes, fixedAndMarginal, perRow } from "./alone.js";
export { bitRule, bits } from "./bits.js";
export { type CoreTime, type Cost, coreTime, coreTimes, costs, idleInWords } from "./core-time.js";
export { type Check, type ExerciseFacts, exercises, type Grade, gradeExercise } from "./exercises/index.js";
export { type FreezeDemo, freezeChart, freezeDemo, freezeInWords, tellFreeze } from "./freeze.js";
export {
	client,
	clientInWords,
	controls,
	controlsInWords,
	insideInWords,
	insideTheService,
	noneAndBus,
	saved,
	savedInWords,
} from "./gain.js";
export { type BusDay, type BusRules, busGame, TRIP_MINUTES, type Trip } from "./game.js";
export { glossary } from "./glossary.js";
export { guess, READER_GUESSES, type ReaderGuess } from "./guess.js";
export { type ByHand, type ByHandOptions, batchByHand, becauseOf, type HandBatch } from "./hand.js";
export { batchesOf, HOOKS, type Hook, type HookStep, type HookTrace, hooks, tellHooks } from "./hooks.js";
export { keepingUp, type Reached } from "./keeping-up.js";
export { fixedBesideTheLesson, modelBesideTheLesson } from "./lesson.js";
export { type LiveSource, liveBatcher, waitsAskedAndReal } from "./live.js";
export { machine, models } from "./machine.js";
export { measureAll, openRun } from "./open.js";
export {
	bitChart,
	busChart,
	byHandChart,
	controlChart,
	coreTimeChart,
	hookChart,
	perRowChart,
	saturationChart,
} from "./pictures.js";
export { plan, quietness, saturationPlan } from "./plan.js";
export { plateau, type Worth, worthABus, worthInWords } from "./plateau.js";
export { aboutProfile } from "./profile.js";
export { type QueueSeen, queueInWords, queuesSeen, tellQueue, warmingInWords } from "./queue.js";
export { type AgainstNone, priceInWords, priceOfWait, quietTail, tailInWords, verdict } from "./quiet.js";
export { rates } from "./rates.js";
export {
	batchSizeChart,
	canaryChart,
	distributionChart,
	flushReasonChart,
	heatChart,
	showHeatChart,
} from "./report-pictures.js";
export { recomputed, reportOf, section, showLookupBox } from "./results.js";
export { compareRules, type RuleSeen, rulesInWords, rulesSeen } from "./rules.js";
export { type SameAgainstSame, sameAgainstSame, sameInWords } from "./same.js";
export { type Saturated, saturated, saturation, sOf } from "./saturation.js";
export { showChart } from "./show.js";
export { differences, highestKept, keepsUp, ratesOf, settingsOf } from "./sweep.js";
export { coinChart, latencyByRateChart, pairedChart, priceOfWaitChart, queueChart } from "./sweep-pictures.js";
export { type Slowest, slowestOf, whySlow, whySlowInWords } from "./tail.js";
export { type Alone, aloneOf, bitsOf, callUs, type Source } from "./values.js";
