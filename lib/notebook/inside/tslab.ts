import { createRequire } from "node:module";

/**
 * The internals of tslab 1.0.22 that the kernel's fixes reach into. They are not its public API: the version is
 * pinned, and a test starts a real kernel for every fix.
 */
export type WriteStream = (name: "stdout" | "stderr", text: string) => void;
export type WriteDisplay = (message: unknown, update: boolean) => void;

/** tslab throws it for a failed cell and returns it for a good one. */
export interface ExecutionCount {
	readonly count: number;
}

export interface JupyterHandler {
	handleExecuteImpl(
		request: { readonly code: string },
		stream: WriteStream,
		display: WriteDisplay,
	): Promise<ExecutionCount>;
	createWriteToIopub(name: "stdout" | "stderr", stream: WriteStream): NodeJS.WriteStream["write"];
}

interface PublisherOptions {
	sendHighWaterMark: number;
	sendTimeout: number;
}

export interface JupyterServer {
	readonly iopub: PublisherOptions;
	bindSocket(socket: unknown, port: number): Promise<void>;
	handleExecute(socket: unknown, message: { readonly header: { readonly msg_id: string } }): Promise<void>;
	close(): void;
}

export interface TslabInternals {
	readonly startKernel: (options: {
		readonly configPath: string;
		readonly enableFindLocal: boolean;
		readonly jsKernel: boolean;
		readonly globalVersion: string;
	}) => void;
	readonly handler: JupyterHandler;
	readonly server: JupyterServer;
}

/** Loads tslab's modules (about a second: TypeScript comes with them) and hands out the prototypes to mend. */
export function loadTslab(): TslabInternals {
	const require = createRequire(import.meta.url);
	const main: { readonly startKernel: TslabInternals["startKernel"] } = require("tslab/dist/main.js");
	const jupyter: {
		readonly JupyterHandlerImpl: { readonly prototype: JupyterHandler };
		readonly ZmqServer: { readonly prototype: JupyterServer };
	} = require("tslab/dist/jupyter.js");
	return {
		startKernel: main.startKernel,
		handler: jupyter.JupyterHandlerImpl.prototype,
		server: jupyter.ZmqServer.prototype,
	};
}
