import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodeMessage, encodeMessage, type Message } from "batching-lab/notebook";
import fc from "fast-check";

const KEY = "a key that both sides know";
const frames = (message: Message, key = KEY) => encodeMessage(key, message).map((frame) => Buffer.from(frame));
const message: Message = {
	header: { msg_id: "1", msg_type: "stream", session: "s" },
	parent: { msg_id: "0", msg_type: "execute_request" },
	metadata: {},
	content: { name: "stdout", text: "é \u{1f600}" },
};

describe("messages between runner and kernel are signed", () => {
	it("reads back what was written, behind any routing prefix", () => {
		const record = fc.dictionary(fc.string(), fc.jsonValue());
		fc.assert(
			fc.property(fc.uuid(), record, record, fc.array(fc.uint8Array()), (id, metadata, content, prefix) => {
				const plain: Message = JSON.parse(
					JSON.stringify({ ...message, header: { ...message.header, msg_id: id }, metadata, content }),
				);
				const received = decodeMessage(KEY, [...prefix.map((bytes) => Buffer.from(bytes)), ...frames(plain)]);
				assert.deepEqual(received, plain);
			}),
			{ numRuns: 100 },
		);
	});

	it("refuses a message signed with another key", () => {
		assert.throws(() => decodeMessage(KEY, frames(message, "another key")), {
			code: "BAD_KERNEL_MESSAGE",
			message: /signature/,
		});
	});

	it("refuses a message of which one byte was changed", () => {
		for (const part of [1, 2, 3, 4, 5]) {
			const changed = frames(message);
			const frame = changed[part];
			assert.ok(frame !== undefined);
			frame[0] = (frame[0] ?? 0) ^ 1;
			assert.throws(() => decodeMessage(KEY, changed), { code: "BAD_KERNEL_MESSAGE" });
		}
	});

	it("refuses what is no message", () => {
		assert.throws(() => decodeMessage(KEY, []), { code: "BAD_KERNEL_MESSAGE" });
		assert.throws(() => decodeMessage(KEY, [Buffer.from("<IDS|MSG>"), Buffer.from("")]), {
			code: "BAD_KERNEL_MESSAGE",
		});
	});
});
