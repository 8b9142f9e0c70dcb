/** What the notebooks say: sentences computed from the record, the game, the exercises. */

export { fiveSteps, sixRules } from "./advice.js";
export { fixedAndMarginal, perRow, plateau } from "./alone.js";
export { answer } from "./answer.js";
export { bitRule, bits } from "./bits.js";
export { type Check, type ExerciseFacts, exercises, type Grade, gradeExercise } from "./exercises/index.js";
export { type FreezeDemo, freezeChart, freezeDemo, tellFreeze } from "./freeze.js";
export { type BusDay, type BusRules, busGame, TRIP_MINUTES, type Trip } from "./game.js";
export { glossary } from "./glossary.js";
export { guess, READER_GUESSES, type ReaderGuess } from "./guess.js";
export { type ByHand, type ByHandOptions, batchByHand, type HandBatch } from "./hand.js";
export { batchesOf, HOOKS, type Hook, type HookStep, type HookTrace, hooks, tellHooks } from "./hooks.js";
export { modelBesideTheLesson, sweepBesideTheLesson } from "./lesson.js";
export { type LiveSource, liveBatcher, waitsAskedAndReal } from "./live.js";
export { machine, models } from "./machine.js";
export { measureAll, openRun } from "./open.js";
export { bitChart, busChart, byHandChart, coreTimeChart, hookChart, perRowChart, saturationChart } from "./pictures.js";
export { plan, quietness, tellQueue } from "./plan.js";
export { batchSizeChart, canaryChart, distributionChart, flushReasonChart, heatChart } from "./report-pictures.js";
export { recomputed, reportOf, section, showLookupBox } from "./results.js";
export { type CoreTime, coreTime, coreTimes, type Saturated, saturated, saturation, sOf } from "./saturation.js";
export { showChart } from "./show.js";
export {
	differences,
	highestKept,
	keepsUp,
	priceOfWait,
	quietTail,
	ratesOf,
	sameAgainstSame,
	settingsOf,
} from "./sweep.js";
export { coinChart, latencyByRateChart, pairedChart, priceOfWaitChart, queueChart } from "./sweep-pictures.js";
export { type Alone, aloneOf, bitsOf, callUs, type Source } from "./values.js";
