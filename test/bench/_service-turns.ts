import { connect, type Socket } from "node:net";
import type { ServiceProcess } from "batching-lab/service";

const CONNECTIONS = 16;
const OK = Buffer.from("HTTP/1.1 200");

/** What one turn saw; the service's own counts for the same time. */
export interface TurnResult {
	readonly perSecond: number;
	/** CPU of the service's process an answer, µs. */
	readonly cpuUs: number;
	readonly clientCpuUs: number;
	readonly meanBatch: number;
}

/**
 * A service that stays up while others are measured, and 16 closed-loop connections to it. It works only in its
 * turns; so variants can take turns of a fraction of a second, and a slow minute of the machine meets all of them.
 * Raw sockets: the cheapest client there is, since it shares the service's core.
 */
export class Contestant {
	readonly #service: ServiceProcess;
	readonly #requests: readonly Buffer[];
	readonly #sockets: readonly Socket[];
	#next = 0;
	#answers = 0;
	#open = 0;
	#working = false;
	#ended: () => void = () => {};
	#broken: Error | undefined;

	constructor(service: ServiceProcess, bodies: readonly string[]) {
		this.#service = service;
		this.#requests = bodies.map((body) =>
			Buffer.from(
				`POST /predict HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
			),
		);
		this.#sockets = Array.from({ length: CONNECTIONS }, () => this.#connect());
	}

	async turn(ms: number): Promise<TurnResult> {
		this.#answers = 0;
		this.#service.count();
		// The count is in when the report that follows it is; the work begins after that.
		await this.#service.report();
		this.#service.count();
		const cpu = process.cpuUsage();
		const startMs = performance.now();
		this.#working = true;
		for (const socket of this.#sockets) this.#ask(socket);
		await new Promise((resolve) => setTimeout(resolve, ms));
		const ended = new Promise<void>((resolve) => {
			this.#ended = resolve;
		});
		this.#working = false;
		await ended;
		const spanMs = performance.now() - startMs;
		const { user, system } = process.cpuUsage(cpu);
		if (this.#broken !== undefined) throw this.#broken;
		const { answered, cpuUs, batches } = await this.#service.report();
		if (answered !== this.#answers) throw new Error(`${this.#answers} answers came, the service counted ${answered}`);
		return {
			perSecond: (1000 * answered) / spanMs,
			cpuUs: cpuUs / answered,
			clientCpuUs: (user + system) / answered,
			meanBatch:
				batches.size.length === 0 ? 1 : batches.size.reduce((sum, size) => sum + size, 0) / batches.size.length,
		};
	}

	async stop(): Promise<void> {
		for (const socket of this.#sockets) socket.destroy();
		await this.#service.stop();
	}

	#connect(): Socket {
		const socket = connect({ port: this.#service.port, host: "127.0.0.1" }).setNoDelay(true);
		socket.on("error", (error) => this.#fail(error));
		// A reply is far shorter than a packet, so a chunk is a reply.
		return socket.on("data", (chunk: Buffer) => {
			this.#answers++;
			this.#open--;
			if (chunk.compare(OK, 0, OK.length, 0, OK.length) !== 0) this.#fail(new Error(`not an answer: ${chunk}`));
			else if (this.#working) this.#ask(socket);
			else if (this.#open === 0) this.#ended();
		});
	}

	#ask(socket: Socket): void {
		const request = this.#requests[this.#next++ % this.#requests.length];
		if (request === undefined) return;
		this.#open++;
		socket.write(request);
	}

	#fail(error: Error): void {
		this.#broken ??= error;
		this.#working = false;
		this.#ended();
	}
}
