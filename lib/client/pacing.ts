import { AlarmPacer } from "./alarm.js";
import type { Pacer } from "./pacer.js";
import { SpinPacer } from "./spin.js";

/** Resolves when the pacer can be started without delay. */
export async function createPacer(pacing: "timer" | "precise", arrivalsNs: Float64Array): Promise<Pacer> {
	return pacing === "precise" ? new SpinPacer(arrivalsNs) : await AlarmPacer.create(arrivalsNs);
}
