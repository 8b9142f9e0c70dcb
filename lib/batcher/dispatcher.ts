import type { Alarm } from "./clock.js";
import { Drains } from "./drains.js";
import type { Ledger } from "./ledger.js";
import { ModelRunner } from "./model-runner.js";
import type { ResolvedOptions } from "./options.js";
import { type Decision, decide } from "./policy.js";
import type { Rows } from "./rows.js";
import type { ScoreFunction } from "./scores.js";

const NEVER = Number.POSITIVE_INFINITY;

/** Looks at queue and model whenever something has changed, and does what the policy says. */
export class Dispatcher<Row, Score> {
	readonly model: ModelRunner<Row, Score>;
	readonly #options: ResolvedOptions;
	readonly #rows: Rows<Row, Score>;
	readonly #drains = new Drains();
	readonly #alarm: Alarm;
	/** When the alarm rings; `Infinity` while it is not set. */
	#alarmNs = NEVER;
	#turnAsked = false;

	constructor(score: ScoreFunction<Row, Score>, options: ResolvedOptions, rows: Rows<Row, Score>, ledger: Ledger) {
		this.#options = options;
		this.#rows = rows;
		this.model = new ModelRunner(score, options, rows, ledger, this.#onFree);
		this.#alarm = options.clock.alarm(this.#onAlarm);
	}

	/** A row has been accepted. It never leaves in its caller's stack. */
	added(nowNs: number): void {
		if (this.#turnAsked) return;
		const decision = this.#decide(nowNs);
		if (decision.action === "take") this.#askTurn();
		else this.#wakeAt(decision.untilNs);
	}

	/** Rows have been settled otherwise than by the model. */
	settled(): void {
		const { queue } = this.#rows;
		if (this.#drains.awaited) {
			let oldestOpenNs = queue.oldest?.submitNs ?? NEVER;
			for (const entry of this.model.open()) oldestOpenNs = Math.min(oldestOpenNs, entry.submitNs);
			this.#drains.settled(oldestOpenNs);
		}
		// An alarm that nobody needs would keep the process alive.
		if (queue.length === 0 && this.model.nextTimeoutNs === NEVER) this.#clearAlarm();
	}

	/** Resolves when every row submitted so far is settled; none of them waits for company any longer. */
	drain(): Promise<void> {
		const drained = this.#drains.wait(this.#options.clock.nowNs());
		this.settled();
		if (this.#rows.queue.length > 0 && !this.model.busy) this.#askTurn();
		return drained;
	}

	#askTurn(): void {
		if (this.#turnAsked) return;
		this.#turnAsked = true;
		this.#options.clock.defer(this.#turn);
	}

	/**
	 * The one place where rows leave. It runs only in a turn of the clock, so the loop reads its sockets between two
	 * model calls: rows that came in while the model ran can join, and no stream of rows can starve the sockets.
	 */
	readonly #turn = (): void => {
		this.#turnAsked = false;
		const { clock, slackNs } = this.#options;
		let nowNs = clock.nowNs();
		this.model.failOverdueCalls(nowNs);
		this.#rows.dropOverdue(nowNs, this.model.busy ? nowNs : nowNs + slackNs);
		let held = this.model.launchRetries(nowNs);
		let decision = this.#decide(nowNs);
		// A model that answers in its own stack has held the loop: whatever else waits, the sockets are next.
		while (decision.action === "take" && !held) {
			if (this.#options.fineWait) this.#clearAlarm();
			held = !this.model.launch(this.#rows.queue.take(decision.rows), decision.reason, nowNs);
			// The time only matters to rows that could still leave in this turn.
			if (!this.model.busy) nowNs = clock.nowNs();
			decision = this.#decide(nowNs);
		}
		if (decision.action === "sleep") this.#wakeAt(decision.untilNs);
		this.#wakeAt(this.model.nextTimeoutNs);
		this.settled();
	};

	readonly #onFree = (): void => {
		if (this.#rows.queue.length > 0 || this.model.busy) this.#askTurn();
		this.settled();
	};

	readonly #onAlarm = (): void => {
		this.#alarmNs = NEVER;
		if (!this.#turnAsked) this.#turn();
	};

	#decide(nowNs: number): Decision {
		const { queue } = this.#rows;
		const { oldest } = queue;
		return decide(
			{
				nowNs,
				length: queue.length,
				oldestNs: oldest?.submitNs ?? nowNs,
				deadlineNs: queue.deadlineNs,
				busy: this.model.busy,
				draining: oldest !== undefined && oldest.submitNs <= this.#drains.untilNs,
			},
			this.#options,
		);
	}

	/** An alarm that rings too early is kept, since moving it costs more than looking once in vain. */
	#wakeAt(untilNs: number): void {
		if (untilNs >= this.#alarmNs) return;
		this.#alarmNs = untilNs;
		const waitEndsNs = (this.#rows.queue.oldest?.submitNs ?? NEVER) + this.#options.maxWaitNs;
		this.#alarm.set(untilNs, this.#options.fineWait && untilNs === waitEndsNs);
	}

	#clearAlarm(): void {
		if (this.#alarmNs === NEVER) return;
		this.#alarmNs = NEVER;
		this.#alarm.clear();
	}
}
