import { CodedError } from "../base/index.js";
import { Lane, type LaneEvents } from "./lane.js";
import { RequestLog } from "./log.js";

export interface Drive {
	readonly url: URL;
	readonly connections: number;
	readonly bodies: readonly string[];
	readonly offset: number;
	readonly pacing: "timer" | "precise";
	readonly drainMs: number;
}

const nowNs = (): number => Number(process.hrtime.bigint());

/** A fixed set of connections that sends requests and writes down what became of them. */
export class Traffic implements LaneEvents {
	readonly #drive: Drive;
	readonly #lanes: Lane[] = [];
	readonly #free: Lane[] = [];
	/** Requests that found no free connection; `#head` is the next to go. */
	#waiting: number[] = [];
	#head = 0;
	#log = new RequestLog(1);
	#epochNs = 0;
	#open = 0;
	#next = 0;
	#onIdle: () => void = () => {};
	#onFree: (lane: Lane) => void = (lane) => this.#free.push(lane);
	#onAnswer: () => void = () => {};
	readonly errors: Record<string, number> = {};

	constructor(drive: Drive) {
		this.#drive = drive;
		for (let i = 0; i < drive.connections; i++) this.#lanes.push(new Lane(drive.url, this));
		this.#free.push(...this.#lanes);
	}

	sent(at: number): void {
		this.#log.sent(at, nowNs() - this.#epochNs);
	}

	answered(lane: Lane, at: number, status: number, body: string): void {
		this.#log.answered(at, nowNs() - this.#epochNs, status, body);
		this.#done(lane);
	}

	failed(lane: Lane, at: number, error: Error): void {
		this.errors[error.message] = (this.errors[error.message] ?? 0) + 1;
		this.#log.failed(at);
		this.#done(lane);
	}

	#done(lane: Lane): void {
		this.#open--;
		const at = this.#waiting[this.#head];
		if (at !== undefined) {
			this.#head++;
			this.#send(lane, at);
		} else this.#onFree(lane);
		this.#onAnswer();
		if (this.#open === 0) this.#onIdle();
	}

	#send(lane: Lane, at: number): void {
		this.#open++;
		lane.send(at, this.#drive.bodies[this.#log.bodyIndex[at] ?? 0] ?? "");
	}

	#begin(capacity: number): RequestLog {
		this.#log = new RequestLog(Math.max(1, capacity));
		this.#waiting = [];
		this.#head = 0;
		this.#next = 0;
		this.#epochNs = nowNs();
		return this.#log;
	}

	#body(): number {
		const { offset, bodies } = this.#drive;
		return (offset + this.#next++) % bodies.length;
	}

	/** Each connection asks again as soon as it has its answer, for `countMs`. */
	async closed(countMs: number): Promise<{ log: RequestLog; epochNs: number }> {
		const log = this.#begin(1024);
		const epochNs = this.#epochNs;
		const endNs = countMs * 1e6;
		const again = (lane: Lane) => {
			const at = nowNs() - epochNs;
			if (at < endNs) this.#send(lane, log.add(at, this.#body()));
			else this.#free.push(lane);
		};
		this.#onFree = again;
		for (const lane of this.#free.splice(0)) again(lane);
		await new Promise((resolve) => setTimeout(resolve, countMs));
		await this.#drain();
		this.#onFree = (lane) => this.#free.push(lane);
		return { log, epochNs };
	}

	/** Sends at the scheduled moments, whatever became of earlier requests. */
	async open(arrivalsNs: Float64Array): Promise<{ log: RequestLog; epochNs: number }> {
		const log = this.#begin(arrivalsNs.length);
		const epochNs = this.#epochNs;
		for (const arrival of arrivalsNs) log.add(arrival, this.#body());
		let next = 0;
		const sendDue = () => {
			const now = nowNs() - epochNs;
			while (next < arrivalsNs.length && (arrivalsNs[next] ?? 0) <= now) {
				const lane = this.#free.pop();
				if (lane === undefined) this.#waiting.push(next);
				else this.#send(lane, next);
				next++;
			}
		};
		this.#onAnswer = sendDue;
		await new Promise<void>((resolve) => {
			const tick = () => {
				sendDue();
				if (next >= arrivalsNs.length) return resolve();
				const leftMs = ((arrivalsNs[next] ?? 0) - (nowNs() - epochNs)) / 1e6;
				if (this.#drive.pacing === "precise" && leftMs < 1.2) setImmediate(tick);
				else setTimeout(tick, Math.max(1, Math.floor(leftMs)));
			};
			tick();
		});
		this.#onAnswer = () => {};
		await this.#drain();
		return { log, epochNs };
	}

	/** Waits for every answer, up to the bound; what is missing then is timed out or unsent. */
	async #drain(): Promise<void> {
		if (this.#open === 0 && this.#head >= this.#waiting.length) return;
		await new Promise<void>((resolve) => {
			const late = setTimeout(resolve, this.#drive.drainMs);
			this.#onIdle = () => {
				clearTimeout(late);
				resolve();
			};
		});
		this.#onIdle = () => {};
	}

	close(): void {
		for (const lane of this.#lanes) lane.destroy();
	}
}

/** @throws {CodedError} `BAD_URL` */
export function httpUrl(text: string): URL {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || url.protocol !== "http:")
		throw new CodedError("BAD_URL", `a URL begins with http://, got "${text}"`);
	return url;
}
