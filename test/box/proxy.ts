import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to the box that can be cut, stalled and slowed. */
export interface Way {
	readonly port: number;
	/** Bytes that a connection may carry, both ways together, until it is cut; unlimited by default. */
	cutAfter: number;
	/** Connections that are cut, until it is let be; unlimited by default. */
	cuts: number;
	/** Keeps the connection open and carries nothing after so many bytes. */
	stallAfter: number;
	/** Both ways together; unlimited by default. */
	bytesPerSecond: number;
	/** Holds everything back, and lets it go on from there. */
	held: boolean;
	/** All bytes so far. */
	readonly carried: number;
	close(): Promise<void>;
}

/** Starts a proxy on 127.0.0.1 in front of a port there. */
export async function startProxy(target: number): Promise<Way> {
	const open = new Set<Socket>();
	let carried = 0;
	let closing = false;
	let held = false;
	const server = createServer((near) => {
		if (closing) return void near.destroy();
		const far = connect(target, "127.0.0.1");
		let through = 0;
		const cut = () => {
			near.destroy();
			far.destroy();
		};
		for (const [from, to] of [
			[near, far],
			[far, near],
		] as const) {
			open.add(from);
			from.on("close", () => {
				open.delete(from);
				to.destroy();
			});
			from.on("error", cut);
			from.on("data", (data: Buffer) => {
				through += data.length;
				carried += data.length;
				if (through > proxy.cutAfter && proxy.cuts > 0) {
					proxy.cuts--;
					cut();
					return;
				}
				if (through > proxy.stallAfter) return;
				to.write(data);
				if (proxy.bytesPerSecond < Number.POSITIVE_INFINITY) {
					from.pause();
					setTimeout(() => held || from.resume(), (data.length / proxy.bytesPerSecond) * 1000);
				}
			});
			if (held) from.pause();
		}
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const proxy = {
		port: (server.address() as AddressInfo).port,
		cutAfter: Number.POSITIVE_INFINITY,
		cuts: Number.POSITIVE_INFINITY,
		stallAfter: Number.POSITIVE_INFINITY,
		bytesPerSecond: Number.POSITIVE_INFINITY,
		get held() {
			return held;
		},
		set held(value) {
			held = value;
			for (const socket of open) value ? socket.pause() : socket.resume();
		},
		get carried() {
			return carried;
		},
		close: () =>
			new Promise<void>((resolve) => {
				closing = true;
				for (const socket of open) socket.destroy();
				server.close(() => resolve());
			}),
	};
	return proxy;
}
