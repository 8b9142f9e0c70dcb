/// <reference lib="es2024.sharedmemory" />
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type AlarmData, BELL, HUSH, NEXT, PILLOW, RUNNING, STATE, STOPPED, WORDS } from "./alarm-words.js";
import type { Pacer } from "./pacer.js";

/**
 * Sleeps in a thread of its own, in `Atomics.wait`, whose bound is exact to the kernel's timer slack (50 µs), and wakes
 * this thread's loop through `Atomics.waitAsync`. On the same core that costs about as much CPU as Node's timers.
 */
export class AlarmPacer implements Pacer {
	readonly #words: Int32Array;
	readonly #epoch: BigInt64Array;
	readonly #thread: Worker;
	#wake: () => void = () => {};

	private constructor(words: Int32Array, epoch: BigInt64Array, thread: Worker) {
		this.#words = words;
		this.#epoch = epoch;
		this.#thread = thread;
	}

	static async create(arrivalsNs: Float64Array): Promise<AlarmPacer> {
		const arrivals = new SharedArrayBuffer(arrivalsNs.byteLength);
		new Float64Array(arrivals).set(arrivalsNs);
		const words = new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT);
		const epoch = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
		const workerData: AlarmData = { arrivals, words, epoch };
		const thread = new Worker(new URL("./alarm-thread.js", import.meta.url), { workerData });
		await once(thread, "message"); // rejects when the thread fails
		thread.unref();
		return new AlarmPacer(new Int32Array(words), new BigInt64Array(epoch), thread);
	}

	start(epochNs: bigint, wake: () => void): void {
		this.#wake = wake;
		this.#epoch[0] = epochNs;
		Atomics.store(this.#words, STATE, RUNNING);
		Atomics.notify(this.#words, STATE);
		this.#listen();
	}

	progress(next: number): void {
		Atomics.store(this.#words, NEXT, next);
	}

	pause(): void {
		Atomics.store(this.#words, HUSH, 1);
	}

	resume(): void {
		Atomics.store(this.#words, HUSH, 0);
		Atomics.notify(this.#words, HUSH);
	}

	stop(): void {
		Atomics.store(this.#words, STATE, STOPPED);
		Atomics.store(this.#words, HUSH, 0);
		for (const word of [STATE, PILLOW, BELL, HUSH]) Atomics.notify(this.#words, word);
		void this.#thread.terminate();
	}

	/** Reads the bell before it looks for work: a ring in between makes the wait end at once, so none is lost. */
	readonly #listen = (): void => {
		while (Atomics.load(this.#words, STATE) === RUNNING) {
			const rung = Atomics.load(this.#words, BELL);
			this.#wake();
			const ring = Atomics.waitAsync(this.#words, BELL, rung);
			if (ring.async) {
				void ring.value.then(this.#listen);
				return;
			}
		}
	};
}
