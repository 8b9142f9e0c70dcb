import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { CodedError } from "../base/index.js";

/** The part of a Jupyter message header that matters here; the rest is sent, never read. */
export interface MessageHeader {
	readonly msg_id: string;
	readonly msg_type: string;
	readonly [key: string]: unknown;
}

export interface Message {
	readonly header: MessageHeader;
	/** The header of the request that caused this message; `{}` when nothing did. */
	readonly parent: Partial<MessageHeader>;
	readonly metadata: Record<string, unknown>;
	readonly content: Record<string, unknown>;
}

const DELIMITER = "<IDS|MSG>";
const PROTOCOL_VERSION = "5.3";

export function newHeader(type: string, session: string): MessageHeader {
	return {
		msg_id: randomUUID(),
		msg_type: type,
		session,
		username: "workbook",
		date: new Date().toISOString(),
		version: PROTOCOL_VERSION,
	};
}

/** The frames of one message: delimiter, HMAC-SHA256 over the four parts, header, parent, metadata, content. */
export function encodeMessage(key: string, message: Message): string[] {
	const parts = [message.header, message.parent, message.metadata, message.content].map((part) => JSON.stringify(part));
	return [DELIMITER, signature(key, parts), ...parts];
}

/**
 * Reads the frames of one message and verifies its signature before anything in it is parsed.
 *
 * @throws {CodedError} `BAD_KERNEL_MESSAGE` for a message that is not signed with `key` or not a message at all.
 */
export function decodeMessage(key: string, frames: readonly Buffer[]): Message {
	const start = frames.findIndex((frame) => frame.toString("latin1") === DELIMITER);
	const [signed, ...parts] = frames.slice(start + 1);
	if (start < 0 || signed === undefined || parts.length < 4) throw bad("it has no delimiter or too few parts");
	const expected = Buffer.from(signature(key, parts));
	if (signed.length !== expected.length || !timingSafeEqual(signed, expected)) throw bad("its signature is wrong");
	const [header, parent, metadata, content] = parts.slice(0, 4).map((part) => object(part.toString("utf8")));
	if (typeof header?.msg_id !== "string" || typeof header.msg_type !== "string") throw bad("its header has no id");
	return {
		header: { ...header, msg_id: header.msg_id, msg_type: header.msg_type },
		parent: parent ?? {},
		metadata: metadata ?? {},
		content: content ?? {},
	};
}

function signature(key: string, parts: readonly (string | Buffer)[]): string {
	const hmac = createHmac("sha256", key);
	for (const part of parts) hmac.update(part);
	return hmac.digest("hex");
}

function object(text: string): Record<string, unknown> {
	const value: unknown = JSON.parse(text);
	if (typeof value !== "object" || value === null) throw bad("a part is not an object");
	return { ...value };
}

function bad(reason: string): CodedError {
	return new CodedError("BAD_KERNEL_MESSAGE", `a message from the kernel was refused: ${reason}`, { exitCode: 1 });
}
