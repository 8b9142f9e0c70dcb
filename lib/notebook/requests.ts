import { CodedError } from "../base/index.js";
import type { Message } from "./wire.js";

interface Pending {
	reply?: Message;
	idle: boolean;
	timer?: NodeJS.Timeout;
	readonly settle: (reply: Message) => void;
	readonly fail: (error: unknown) => void;
}

/**
 * The rule for the end of a request: its reply on the shell channel and its `idle` on iopub, in either order. One whose
 * other half stays away is a lost message, and with it some output may be lost: that fails, it does not wait.
 */
export class Requests {
	readonly #pending = new Map<string, Pending>();
	/** How long a reply may stay without its `idle`, or the other way round. */
	lostMessageMs: number;
	#broken: unknown;

	constructor(lostMessageMs: number) {
		this.lostMessageMs = lostMessageMs;
	}

	/** Settles with the reply when the request is done. `send` is called at once and returns the request's id. */
	ask(send: () => string): Promise<Message> {
		return new Promise<Message>((settle, fail) => {
			if (this.#broken !== undefined) fail(this.#broken);
			else this.#pending.set(send(), { idle: false, settle, fail });
		});
	}

	/** True while every request that waits, and there is one, is without its reply. */
	get unanswered(): boolean {
		const waiting = [...this.#pending.values()];
		return waiting.length > 0 && waiting.every(({ reply }) => reply === undefined);
	}

	replied(message: Message): void {
		const requestId = message.parent.msg_id ?? "";
		const pending = this.#pending.get(requestId);
		if (pending === undefined) return;
		pending.reply = message;
		this.#expectOther(requestId, pending);
		this.#settle(requestId, pending);
	}

	published(message: Message): void {
		const requestId = message.parent.msg_id ?? "";
		const pending = this.#pending.get(requestId);
		if (pending === undefined) return;
		if (message.header.msg_type === "status" && message.content.execution_state === "idle") {
			pending.idle = true;
			this.#expectOther(requestId, pending);
			this.#settle(requestId, pending);
		} else if (pending.reply !== undefined && sentBefore(message, pending.reply)) {
			this.#expectOther(requestId, pending); // output from before the reply is still arriving, and the idle is behind it
		}
	}

	/** Fails whatever waits, and every later request. */
	break(error: unknown): void {
		this.#broken ??= error;
		for (const { fail } of this.#pending.values()) fail(error);
		this.forget();
	}

	/** Drops what waits without settling it. */
	forget(): void {
		for (const { timer } of this.#pending.values()) clearTimeout(timer);
		this.#pending.clear();
	}

	#settle(requestId: string, pending: Pending): void {
		if (pending.reply === undefined || !pending.idle) return;
		clearTimeout(pending.timer);
		this.#pending.delete(requestId);
		pending.settle(pending.reply);
	}

	#expectOther(requestId: string, pending: Pending): void {
		clearTimeout(pending.timer);
		pending.timer = setTimeout(() => {
			this.#pending.delete(requestId);
			pending.fail(pending.idle ? unanswered(this.lostMessageMs) : lost(this.lostMessageMs));
		}, this.lostMessageMs);
	}
}

/** Dates are ISO 8601 in UTC from one clock, so they sort as texts. */
function sentBefore(message: Message, reply: Message): boolean {
	return String(message.header.date) <= String(reply.header.date);
}

function unanswered(waitedMs: number): CodedError {
	const message = `the kernel is idle again, but gave no answer within ${waitedMs / 1_000} s: it failed inside`;
	return new CodedError("LOST_MESSAGE", message, { exitCode: 1 });
}

function lost(waitedMs: number): CodedError {
	const message = `the kernel answered, but the "idle" that must follow did not arrive within ${waitedMs / 1_000} s: messages were lost`;
	const hint = "some of the cell's output is missing too; the kernel of `workbook kernel install` loses none";
	return new CodedError("LOST_MESSAGE", message, { exitCode: 1, hint });
}
