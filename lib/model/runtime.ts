import { CodedError } from "../base/index.js";

export type Runtime = typeof import("onnxruntime-node");

/**
 * ONNX Runtime, loaded late: importing this library must not need the native package, and its absence gets one clear
 * line.
 *
 * @throws {CodedError} `MISSING_PACKAGE`
 */
export async function loadRuntime(): Promise<Runtime> {
	try {
		return await import("onnxruntime-node");
	} catch (cause) {
		const reason = cause instanceof Error ? cause.message.split("\n", 1)[0] : String(cause);
		throw new CodedError(
			"MISSING_PACKAGE",
			`the package onnxruntime-node cannot be loaded (${reason}): npm ci installs it`,
			{ exitCode: 1, cause },
		);
	}
}

/** Version of the ONNX Runtime that scores. */
export async function runtimeVersion(): Promise<string> {
	const { env } = await loadRuntime();
	return env.versions.node ?? env.versions.common;
}
