import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** The bytes of one `POST /predict`. */
export function requestText(customerId: number, extraHeader = ""): string {
	const body = JSON.stringify({ customerId });
	return `POST /predict HTTP/1.1\r\nhost: test\r\n${extraHeader}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** A socket that collects what it receives. */
export interface RawClient {
	readonly socket: Socket;
	readonly received: () => string;
	/** Full replies so far. */
	readonly replies: () => readonly { readonly status: number; readonly body: string }[];
	/** Resolves when the socket is closed, by whomever. */
	readonly closed: Promise<void>;
}

export async function openSocket(url: string): Promise<RawClient> {
	const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1" });
	let text = "";
	socket.setEncoding("latin1").on("data", (chunk: string) => {
		text += chunk;
	});
	socket.on("error", () => {}); // a reset shows itself as a missing reply
	const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
	await once(socket, "connect");
	return { socket, received: () => text, replies: () => parseReplies(text), closed };
}

function parseReplies(text: string): { status: number; body: string }[] {
	const replies: { status: number; body: string }[] = [];
	for (let at = 0; ; ) {
		const headEnd = text.indexOf("\r\n\r\n", at);
		if (headEnd < 0) return replies;
		const head = text.slice(at, headEnd);
		const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
		const end = headEnd + 4 + length;
		if (!(end <= text.length)) return replies;
		replies.push({ status: Number(head.slice(9, 12)), body: text.slice(headEnd + 4, end) });
		at = end;
	}
}
