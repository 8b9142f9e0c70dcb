/** A kernel that starts well and then misbehaves. Arguments: connection file, then `no-reply` or `always-aborts`. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { decodeMessage, encodeMessage, type MessageHeader } from "batching-lab/notebook";
import { Publisher, Router } from "zeromq";

interface ConnectionFile {
	readonly key: string;
	readonly shell_port: number;
	readonly iopub_port: number;
}

async function serve(file: string, fault: string): Promise<void> {
	const { key, shell_port, iopub_port }: ConnectionFile = JSON.parse(readFileSync(file, "utf8"));
	const [shell, iopub] = [new Router(), new Publisher()];
	await shell.bind(`tcp://127.0.0.1:${shell_port}`);
	await iopub.bind(`tcp://127.0.0.1:${iopub_port}`);
	const message = (parent: MessageHeader, msg_type: string, content: Record<string, unknown>) =>
		encodeMessage(key, { header: { msg_id: `${Date.now()}`, msg_type }, parent, metadata: {}, content });
	for await (const frames of shell) {
		const [client = Buffer.of(), ...rest] = frames;
		const { header } = decodeMessage(key, rest);
		const asked = header.msg_type === "kernel_info_request";
		const content = { status: asked ? "ok" : "aborted" };
		const type = header.msg_type.replace("request", "reply");
		if (asked || fault === "always-aborts") await shell.send([client, ...message(header, type, content)]);
		await iopub.send(message(header, "status", { execution_state: "idle" }));
	}
}

export const HALF_KERNEL = fileURLToPath(import.meta.url);
const [program, file, fault] = process.argv.slice(1);
if (program === HALF_KERNEL && file !== undefined && fault !== undefined) await serve(file, fault);
