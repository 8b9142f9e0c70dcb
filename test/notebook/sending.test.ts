import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { decodeMessage, encodeMessage, KERNEL_PROGRAM, Kernel, type KernelEvents } from "batching-lab/notebook";
import { Dealer } from "zeromq";
import { temporaryFolder } from "./support.js";

const MANY = 1_200; // beyond the 512 sends a turn, and beyond the 1,000 messages of the default queue

/** A kernel of which it is known where it listens: a program between runner and kernel keeps the connection file. */
async function startKnown() {
	const folder = temporaryFolder();
	let said = "";
	const events: KernelEvents = {
		onMessage: (_, { header, content }) => (said += header.msg_type === "stream" ? String(content.text) : ""),
		onRawOutput: (_, text) => (said += text),
		onUnseenError: ({ message }) => (said += message),
	};
	const copied = join(folder, "connection.json");
	const wrapper = `cp "$1" "${copied}"; exec "$2" "$3" "$1"`;
	const command = ["sh", "-c", wrapper, "sh", "{connection_file}", process.execPath, KERNEL_PROGRAM];
	const kernel = await Kernel.start({ cwd: folder, command }, events);
	const { key, shell_port: port }: { readonly key: string; readonly shell_port: number } = JSON.parse(
		readFileSync(copied, "utf8"),
	);
	return { kernel, key, port, said: () => said };
}

describe("two sends never meet on a socket", { concurrency: 2 }, () => {
	it("the kernel answers every request that came in while it was busy", async () => {
		const { kernel, key, port, said } = await startKnown();
		const another = new Dealer({ linger: 0, receiveTimeout: 30_000, sendHighWaterMark: 0, sendTimeout: 0 });
		try {
			another.connect(`tcp://127.0.0.1:${port}`);
			process.kill(kernel.pid, "SIGSTOP"); // so that it finds them all in one turn
			const asked = Array.from({ length: MANY }, (_, index) => `request-${index}`);
			for (const msg_id of asked) {
				const header = { msg_id, msg_type: "kernel_info_request", session: "another", username: "", version: "5.3" };
				await another.send(encodeMessage(key, { header, parent: {}, metadata: {}, content: {} }));
			}
			process.kill(kernel.pid, "SIGCONT");
			const answered: unknown[] = [];
			while (answered.length < MANY) {
				const { header, parent } = decodeMessage(key, await another.receive());
				assert.equal(header.msg_type, "kernel_info_reply");
				answered.push(parent.msg_id);
			}
			assert.deepEqual(answered, asked, "each once, in order");
			assert.doesNotMatch(said(), /busy/);
		} finally {
			another.close();
			await kernel.kill();
		}
	});

	it("the client sends all that is asked in one turn", async () => {
		const quiet: KernelEvents = { onMessage: () => {}, onRawOutput: () => {}, onUnseenError: () => {} };
		const kernel = await Kernel.start({ cwd: tmpdir() }, quiet);
		try {
			process.kill(kernel.pid, "SIGSTOP");
			const replies = Array.from({ length: MANY }, () => kernel.execute("", () => {}));
			process.kill(kernel.pid, "SIGCONT");
			const all = await Promise.all(replies);
			assert.equal(all.filter(({ status }) => status === "ok").length, MANY);
		} finally {
			await kernel.kill();
		}
	});

	it("a stranger's message on the kernel's port harms no cell", async () => {
		const { kernel, key, port, said } = await startKnown();
		const stranger = new Dealer({ linger: 0 });
		try {
			stranger.connect(`tcp://127.0.0.1:${port}`);
			const header = { msg_id: "1", msg_type: "execute_request" };
			const forged = encodeMessage(`${key}x`, {
				header,
				parent: {},
				metadata: {},
				content: { code: "console.log(666)" },
			});
			await kernel.execute("const before = 1;", () => {});
			await stranger.send(["", "ping"]); // a heartbeat
			await stranger.send(["<IDS|MSG>", "", "not", "even", "JSON", "!"]);
			await stranger.send(forged);
			const wait = "await new Promise((resolve) => setTimeout(resolve, 500)); console.log(before);";
			assert.equal((await kernel.execute(wait, () => {})).status, "ok");
			assert.equal(said(), "1\n");
		} finally {
			stranger.close();
			await kernel.kill();
		}
	});
});
