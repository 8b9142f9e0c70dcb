/** The alarm: a thread that sleeps until the next arrival, to a fraction of a millisecond, and wakes the loop. */
import { parentPort, workerData } from "node:worker_threads";
import { type AlarmData, BELL, HUSH, NEXT, PILLOW, RUNNING, STATE, WAITING } from "./alarm-words.js";
import { RunClock } from "./clock.js";

const data: AlarmData = workerData;
const arrivalsNs = new Float64Array(data.arrivals);
const words = new Int32Array(data.words);

parentPort?.postMessage("ready");
Atomics.wait(words, STATE, WAITING);
const clock = new RunClock(new BigInt64Array(data.epoch)[0]);
let next = 0;
while (Atomics.load(words, STATE) === RUNNING) {
	next = Math.max(next, Atomics.load(words, NEXT));
	const dueNs = arrivalsNs[next];
	if (dueNs === undefined) break;
	const leftNs = dueNs - clock.now();
	if (leftNs > 0) {
		Atomics.wait(words, PILLOW, 0, leftNs / 1e6);
		continue;
	}
	if (Atomics.load(words, HUSH) === 1) {
		Atomics.wait(words, HUSH, 1);
		continue;
	}
	// The loop may have seen this arrival by itself, while it was awake for a reply; then NEXT is past it.
	Atomics.add(words, BELL, 1);
	Atomics.notify(words, BELL);
	next++;
}
parentPort?.close();
