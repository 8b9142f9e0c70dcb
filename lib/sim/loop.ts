import { decide, type PolicyOptions } from "../batcher/index.js";
import type { Core } from "./core.js";
import { HistoryLog, type QueueHistory, type SimOutcome } from "./history.js";
import { WaitingRows } from "./queue.js";
import { resolveCosts, type ServerCosts } from "./server.js";
import type { Source } from "./traffic.js";

const NEVER = Number.POSITIVE_INFINITY;

export interface QueueBounds {
	/** The most rows that may wait. @default Infinity */
	readonly maxQueue?: number;
	/** How long a row may wait, ms. @default Infinity */
	readonly queueDeadlineMs?: number;
	/** Model calls at once; on the server's own core they run one after the other. @default 1 */
	readonly maxInFlight?: number;
}

/** A batch that the model has, or gets as soon as the sockets have been read once more. */
interface Call {
	readonly batchId: number;
	readonly requests: readonly number[];
	readonly modelNs: number;
	/** When the scores are there, if the model runs elsewhere. */
	readonly doneNs: number;
}

/** The simulated server: Node's event loop in its coarsest form, one thing after the other on one core. */
export class ServerLoop {
	readonly #costs: ReturnType<typeof resolveCosts>;
	readonly #source: Source;
	readonly #core: Core;
	readonly #log = new HistoryLog();
	readonly #waiting = new WaitingRows();
	/** In flight, in the order in which they left. */
	readonly #calls: Call[] = [];

	constructor(costs: ServerCosts, source: Source, core: Core) {
		this.#costs = resolveCosts(costs);
		this.#source = source;
		this.#core = core;
	}

	history(): QueueHistory {
		return this.#log.history(this.#core.nowNs, this.#core.busyNs);
	}

	/** Every handler calls the model itself; the calls run one after the other, with no look at the sockets between. */
	runWithoutBatcher(): void {
		while (this.#source.nextNs < NEVER) {
			this.#core.sleepUntil(this.#source.nextNs);
			this.#readSockets(NEVER);
			while (this.#waiting.length > 0) {
				const request = this.#waiting.shift();
				this.#core.work(this.#costs.modelNs(1));
				this.#end(request, "answered");
			}
		}
	}

	/** As the live batcher does: read the sockets; give the model its batch, or decide what leaves; sleep if nothing does. */
	runBatcher(policy: PolicyOptions, bounds: QueueBounds): void {
		const { maxQueue = NEVER, queueDeadlineMs = NEVER, maxInFlight = 1 } = bounds;
		for (;;) {
			this.#readSockets(maxQueue);
			if (this.#settleCalls()) continue;
			const untilNs = this.#turn(policy, queueDeadlineMs * 1e6, maxInFlight);
			if (untilNs === "left") continue;
			const wakeNs = Math.min(untilNs, this.#source.nextNs, ...this.#calls.map(({ doneNs }) => doneNs));
			if (wakeNs === NEVER) return;
			this.#core.sleepUntil(wakeNs);
		}
	}

	/** On the server's own core every call runs, back to back; elsewhere those end whose time has come, the earliest first. */
	#settleCalls(): boolean {
		const { onCore } = this.#costs;
		const ended = onCore ? [...this.#calls] : this.#calls.filter(({ doneNs }) => doneNs <= this.#core.nowNs);
		if (!onCore) ended.sort((a, b) => a.doneNs - b.doneNs);
		for (const call of ended) {
			if (onCore) this.#core.work(call.modelNs);
			this.#settle(call);
		}
		return ended.length > 0;
	}

	/** The poll phase: every request that was there when it began. */
	#readSockets(maxQueue: number): void {
		const pollNs = this.#core.nowNs;
		while (this.#source.nextNs <= pollNs) {
			const request = this.#log.arrived(this.#source.nextNs);
			this.#source.take();
			this.#core.work(this.#costs.beforeNs);
			if (this.#waiting.length >= maxQueue) this.#end(request, "refused");
			else this.#waiting.push(request, this.#core.nowNs);
		}
	}

	/** Lets as many batches leave as there is room for, or says when to look again. */
	#turn(policy: PolicyOptions, deadlineNs: number, maxInFlight: number): number | "left" {
		const core = this.#core;
		const waiting = this.#waiting;
		while (waiting.length > 0 && waiting.oldestNs + deadlineNs < core.nowNs) this.#end(waiting.shift(), "overdue");
		for (let left = 0; ; left++) {
			const nowNs = core.nowNs;
			const { length, oldestNs } = waiting;
			const busy = this.#calls.length >= maxInFlight;
			const view = { nowNs, length, oldestNs, deadlineNs: oldestNs + deadlineNs, busy, draining: false };
			const decision = decide(view, policy);
			if (decision.action === "sleep") return left > 0 ? "left" : decision.untilNs;
			this.#launch(decision.rows, this.#log.left(decision.rows, decision.reason, oldestNs, nowNs));
		}
	}

	#launch(rows: number, batchId: number): void {
		const requests: number[] = [];
		for (let i = 0; i < rows; i++) {
			const request = this.#waiting.shift();
			this.#log.joined(request, batchId);
			requests.push(request);
		}
		this.#core.work(this.#costs.perBatchNs);
		const modelNs = this.#costs.modelNs(rows);
		this.#calls.push({ batchId, requests, modelNs, doneNs: this.#core.nowNs + modelNs });
	}

	#settle(call: Call): void {
		this.#calls.splice(this.#calls.indexOf(call), 1);
		this.#log.scored(call.batchId, this.#core.nowNs);
		for (const request of call.requests) this.#end(request, "answered");
	}

	#end(request: number, outcome: SimOutcome): void {
		this.#core.work(this.#costs.afterNs);
		this.#log.ended(request, this.#core.nowNs, outcome);
		this.#source.answered(this.#core.nowNs);
	}
}
