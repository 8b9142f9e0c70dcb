import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { execute, isAlive, statusOf, text } from "./support.js";

describe("however a kernel ends, the run ends and the copy is kept", { concurrency: 2 }, () => {
	it("ends at once when the kernel is killed", async () => {
		const { result, code } = await execute("killed");
		assert.equal(result.failure?.kind, "kernel-died");
		assert.match(result.failure?.message ?? "", /the kernel was ended by SIGKILL/);
		assert.match(result.failure?.hint ?? "", /memory/);
		assert.deepEqual(code.map(statusOf), ["finished", "failed", undefined]);
		assert.equal(text(code[0]), "before\n");
		assert.equal(code[1]?.outputs.at(-1)?.output_type, "error");
	});

	it("ends when a cell ends its own process", async () => {
		const { result } = await execute("exits");
		assert.match(result.failure?.message ?? "", /the kernel ended with exit code 3/);
	});

	it("ends when the kernel crashes", async () => {
		const { result } = await execute("aborts");
		assert.match(result.failure?.message ?? "", /the kernel was ended by SIGABRT/);
	});

	it("kills a kernel that a synchronous loop behind an await keeps busy", async () => {
		const { result, code } = await execute("endless-loop", { cellLimitMs: 1_000, interruptGraceMs: 500 });
		assert.equal(result.failure?.kind, "cell-limit");
		assert.match(result.failure?.message ?? "", /longer than its limit of 1 s; it did not react to an interrupt/);
		assert.equal(statusOf(code[0]), "failed");
	});

	it("interrupts a synchronous loop without an await", async () => {
		const { result } = await execute("endless-loop-at-once", { cellLimitMs: 1_000 });
		assert.equal(result.failure?.message, "the cell took longer than its limit of 1 s");
	});

	it("interrupts a cell that waits for ever", async () => {
		const { result, code } = await execute("endless-wait", { runLimitMs: 6_000 });
		assert.equal(result.failure?.kind, "run-limit");
		assert.match(result.failure?.message ?? "", /the time limit of the run was reached/);
		assert.equal(text(code[0]), "waiting\n");
	});

	it("stops at a signal, with what was done kept", async () => {
		const controller = new AbortController();
		const { result, code } = await execute("endless-wait", {
			signal: controller.signal,
			hooks: { onCellOutput: () => controller.abort() },
		});
		assert.equal(result.status, "interrupted");
		assert.equal(result.failure?.kind, "interrupted");
		assert.equal(text(code[0]), "waiting\n");
	});

	it("shuts a kernel down although a server and a timer are left running", async () => {
		let pid = 0;
		const { result } = await execute("server-left-running", { hooks: { onKernelReady: (event) => (pid = event.pid) } });
		assert.equal(result.status, "finished");
		assert.equal(isAlive(pid), false);
	});

	it("leaves no child process behind", async () => {
		const { result, code } = await execute("child-left-running");
		assert.equal(result.status, "finished");
		assert.equal(isAlive(Number(text(code[0]))), false);
	});

	it("goes on in a cell that changed the folder", async () => {
		const { result, code } = await execute("other-folder");
		assert.equal(result.status, "finished", result.failure?.message);
		assert.equal(text(code[1]), "b\n");
	});
});
