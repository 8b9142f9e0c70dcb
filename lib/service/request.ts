import { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { createSystemClock } from "../batcher/index.js";

/** ns of CLOCK_MONOTONIC, as the batcher counts them. */
export const { nowNs } = createSystemClock();

const latest = new WeakMap<Socket, TimedRequest>();

/**
 * A request that knows when its headers had arrived. Node makes one a request anyway, so this costs a clock reading;
 * a hook for it would cost a walk through Fastify's hook runner.
 */
export class TimedRequest extends IncomingMessage {
	readonly startNs: number;
	/** Its socket broke before it was whole, and it has been counted for that. */
	counted = false;

	constructor(socket: Socket) {
		super(socket);
		this.startNs = nowNs();
		latest.set(socket, this);
	}
}

/** The request whose head was the last that a socket has sent. */
export const lastOn = (socket: Socket): TimedRequest | undefined => latest.get(socket);

/** When a request's headers had arrived; now, for a request that Fastify made itself (`app.inject`). */
export const startOf = (message: IncomingMessage): number =>
	message instanceof TimedRequest ? message.startNs : nowNs();
