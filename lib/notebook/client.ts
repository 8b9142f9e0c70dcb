import { randomUUID } from "node:crypto";
import { Dealer, Subscriber } from "zeromq";
import type { Connection } from "./connection.js";
import { SEND_AT_ONCE } from "./sending.js";
import { decodeMessage, encodeMessage, type Message, newHeader } from "./wire.js";

export interface ClientEvents {
	/** Everything the kernel publishes, in its order. */
	readonly onPublished: (message: Message) => void;
	/** The answer to a request of this client; `parent.msg_id` says which. */
	readonly onReply: (message: Message) => void;
	/** A message that is not signed, or a broken socket. Nothing more is read from that socket. */
	readonly onBroken: (error: unknown) => void;
}

/**
 * The client side of a Jupyter connection: the shell and control channels to ask, iopub to listen. It only moves
 * messages; what they mean is the business of `Kernel`.
 */
export class KernelClient {
	readonly #key: string;
	readonly #session = randomUUID();
	readonly #shell: Dealer;
	readonly #control: Dealer;
	readonly #iopub: Subscriber;
	readonly #broken: (error: unknown) => void;
	#closed = false;

	constructor(connection: Connection, events: ClientEvents) {
		this.#broken = (error) => {
			if (!this.#closed) events.onBroken(error);
		};
		this.#key = connection.key;
		const address = (port: number) => `${connection.transport}://${connection.ip}:${port}`;
		const quick = { reconnectInterval: 20, linger: 0 };
		this.#shell = new Dealer({ ...quick, ...SEND_AT_ONCE });
		this.#control = new Dealer({ ...quick, ...SEND_AT_ONCE });
		// A bound on what waits unread here; the rest waits in the kernel, which loses nothing.
		this.#iopub = new Subscriber({ ...quick, receiveHighWaterMark: 200 });
		this.#shell.connect(address(connection.shell_port));
		this.#control.connect(address(connection.control_port));
		this.#iopub.connect(address(connection.iopub_port));
		this.#iopub.subscribe("");
		void this.#listen(this.#iopub, events.onPublished);
		void this.#listen(this.#shell, events.onReply);
		void this.#listen(this.#control, events.onReply);
	}

	/** Sends a request and returns its id at once; a request to a kernel that is not there yet waits in the socket. */
	request(type: string, content: Record<string, unknown>, channel: "shell" | "control" = "shell"): string {
		const header = newHeader(type, this.#session);
		const frames = encodeMessage(this.#key, { header, parent: {}, metadata: {}, content });
		const socket = channel === "shell" ? this.#shell : this.#control;
		// After close there is nobody to tell; a send that fails otherwise is a broken socket.
		if (!this.#closed) socket.send(frames).catch(this.#broken);
		return header.msg_id;
	}

	close(): void {
		this.#closed = true;
		for (const socket of [this.#shell, this.#control, this.#iopub]) socket.close();
	}

	async #listen(socket: Dealer | Subscriber, receive: (message: Message) => void): Promise<void> {
		try {
			for await (const frames of socket) {
				if (this.#closed) return;
				receive(decodeMessage(this.#key, frames));
			}
		} catch (error) {
			this.#broken(error);
		}
	}
}
