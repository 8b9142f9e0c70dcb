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
}

/** The batch that the model has, or gets as soon as the sockets have been read once more. */
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
	#call: Call | undefined;

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
	runBatcher(policy: PolicyOptions, { maxQueue = NEVER, queueDeadlineMs = NEVER }: QueueBounds): void {
		const core = this.#core;
		for (;;) {
			this.#readSockets(maxQueue);
			const call = this.#call;
			if (call !== undefined && (this.#costs.onCore || core.nowNs >= call.doneNs)) {
				if (this.#costs.onCore) core.work(call.modelNs);
				this.#settle(call);
				continue;
			}
			const untilNs = this.#turn(policy, queueDeadlineMs * 1e6);
			if (untilNs === "left") continue;
			const wakeNs = Math.min(untilNs, this.#source.nextNs, call?.doneNs ?? NEVER);
			if (wakeNs === NEVER) return;
			core.sleepUntil(wakeNs);
		}
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

	/** Lets a batch leave, or says when to look again. */
	#turn(policy: PolicyOptions, deadlineNs: number): number | "left" {
		const core = this.#core;
		const waiting = this.#waiting;
		while (waiting.length > 0 && waiting.oldestNs + deadlineNs < core.nowNs) this.#end(waiting.shift(), "overdue");
		const nowNs = core.nowNs;
		const { length, oldestNs } = waiting;
		const decision = decide(
			{
				nowNs,
				length,
				oldestNs,
				deadlineNs: oldestNs + deadlineNs,
				busy: this.#call !== undefined,
				draining: false,
			},
			policy,
		);
		if (decision.action === "sleep") return decision.untilNs;
		const batchId = this.#log.left(decision.rows, decision.reason, oldestNs, nowNs);
		const requests: number[] = [];
		for (let i = 0; i < decision.rows; i++) {
			const request = waiting.shift();
			this.#log.joined(request, batchId);
			requests.push(request);
		}
		core.work(this.#costs.perBatchNs);
		const modelNs = this.#costs.modelNs(decision.rows);
		this.#call = { batchId, requests, modelNs, doneNs: core.nowNs + modelNs };
		return "left";
	}

	#settle({ batchId, requests }: Call): void {
		this.#call = undefined;
		this.#log.scored(batchId, this.#core.nowNs);
		for (const request of requests) this.#end(request, "answered");
	}

	#end(request: number, outcome: SimOutcome): void {
		this.#core.work(this.#costs.afterNs);
		this.#log.ended(request, this.#core.nowNs, outcome);
		this.#source.answered(this.#core.nowNs);
	}
}
