import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { Kernel, type KernelEvents, type KernelOptions } from "batching-lab/notebook";
import { HALF_KERNEL } from "./half-kernel.js";
import { assertGone } from "./support.js";

const quiet: KernelEvents = { onMessage: () => {}, onRawOutput: () => {}, onUnseenError: () => {} };
const tslab = createRequire(import.meta.url).resolve("tslab/bin/tslab");
/** tslab as it comes, without what the mended kernel adds. */
const PLAIN = [process.execPath, tslab, "kernel", "--config-path", "{connection_file}"];

async function withKernel(options: Partial<KernelOptions>, use: (kernel: Kernel) => Promise<void>): Promise<void> {
	const kernel = await Kernel.start({ cwd: process.cwd(), ...options }, quiet);
	try {
		await use(kernel);
	} finally {
		await kernel.kill();
	}
}

describe("a kernel that behaves badly is noticed", { concurrency: 2 }, () => {
	it("fails when a reply is not followed by its idle, as plain tslab does after 1,000 lines", async () => {
		await withKernel({ command: PLAIN }, async (kernel) => {
			const flood = "for (let line = 0; line < 2_000; line++) console.log(line);";
			await assert.rejects(
				kernel.execute(flood, () => {}),
				{ code: "LOST_MESSAGE", message: /did not arrive within 4 s/ },
			);
		});
	});

	it("asks again when a cell was not run in the window after an error", async () => {
		await withKernel({ command: PLAIN }, async (kernel) => {
			const requests: string[] = [];
			assert.equal((await kernel.execute("throw new Error('first');", () => {})).status, "error");
			const second = await kernel.execute("1 + 1", (id) => requests.push(id));
			assert.deepEqual([second.status, second.executionCount], ["ok", 2]);
			assert.ok(requests.length > 1, "plain tslab aborted the first try");
		});
	});

	it("rejects what waits, and all that is asked later, when the process is gone", async () => {
		await withKernel({}, async (kernel) => {
			const waiting = kernel.execute("await new Promise(() => {});", () => process.kill(kernel.pid, "SIGKILL"));
			await assert.rejects(waiting, { code: "KERNEL_DIED" });
			await assert.rejects(
				kernel.execute("1", () => {}),
				{ code: "KERNEL_DIED" },
			);
		});
	});

	it("fails when a kernel never answers, or refuses every cell, although it is idle", async () => {
		const half = (fault: string) => [process.execPath, HALF_KERNEL, "{connection_file}", fault];
		for (const [fault, message] of [
			["no-reply", /idle again, but gave no answer within 0.3 s/],
			["always-aborts", /refused the cell for 0.3 s/],
		] as const) {
			await withKernel({ command: half(fault), lostMessageMs: 300 }, async (kernel) => {
				const asked = kernel.execute("1", () => {});
				await assert.rejects(asked, { code: "LOST_MESSAGE", message });
			});
		}
	});

	it("sends SIGTERM to a plain kernel that a timer keeps alive", async () => {
		await withKernel({ command: PLAIN, endGraceMs: 500 }, async (kernel) => {
			await kernel.execute("setInterval(() => {}, 1000);", () => {});
			assert.deepEqual(await kernel.shutdown(), { code: null, signal: "SIGTERM" });
		});
	});

	it("says what a program printed that is no kernel", async () => {
		const command = ["sh", "-c", "echo no kernel here >&2; exit 3"];
		await assert.rejects(Kernel.start({ cwd: process.cwd(), command }, quiet), {
			code: "KERNEL_NOT_STARTED",
			message: /ended with exit code 3\nno kernel here/,
		});
	});

	it("says that a program does not exist, and that one stays silent", async () => {
		const missing = Kernel.start({ cwd: process.cwd(), command: ["/no/such/program"] }, quiet);
		await assert.rejects(missing, { code: "KERNEL_NOT_STARTED", message: /ENOENT/ });
		const silent = Kernel.start({ cwd: process.cwd(), command: ["sleep", "60"], startLimitMs: 300 }, quiet);
		await assert.rejects(silent, {
			code: "KERNEL_NOT_STARTED",
			message: /no answer within 0.3 s/,
			hint: /on a slow machine allow more: --start-limit/,
		});
	});

	it("keeps the connection file from everybody else", async () => {
		const command = ["sh", "-c", `stat -c %a "{connection_file}" >&2; exit 1`];
		await assert.rejects(Kernel.start({ cwd: process.cwd(), command }, quiet), { message: /\n600$/ });
	});

	it("ends with the runner that started it, even one that was killed", async () => {
		const script = `
			import { Kernel } from "batching-lab/notebook";
			const events = { onMessage() {}, onRawOutput() {}, onUnseenError() {} };
			const kernel = await Kernel.start({ cwd: process.cwd() }, events);
			console.log(kernel.pid);
			process.kill(process.pid, "SIGKILL");`;
		const run = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
		const { stdout } = await run.then(
			() => assert.fail("the runner was to be killed"),
			(error: { readonly stdout: string }) => error,
		);
		await assertGone(Number(stdout));
	});
});
