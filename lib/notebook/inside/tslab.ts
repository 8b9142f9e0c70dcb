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

export interface ExecuteContent {
	readonly code: string;
	/** False: cells that wait behind this one run although it fails. */
	readonly stop_on_error?: boolean;
}

export interface ExecuteResult {
	readonly status: string;
	readonly execution_count?: number | undefined;
}

export interface JupyterHandler {
	/** Rejects tasks that wait behind a failed one, and for 200 ms all that are added. */
	readonly execQueue: { add<T>(task: () => Promise<T>): Promise<T> };
	/** Cells that have started so far. */
	readonly execCount: number;
	handleExecute(request: ExecuteContent, stream: WriteStream, display: WriteDisplay): Promise<ExecuteResult>;
	handleExecuteImpl(request: ExecuteContent, stream: WriteStream, display: WriteDisplay): Promise<ExecutionCount>;
	createWriteToIopub(name: "stdout" | "stderr", stream: WriteStream): NodeJS.WriteStream["write"];
}

/** One message as the kernel received it, or one that it is about to send. */
export interface KernelMessage {
	readonly header: { msg_id: string; msg_type: string };
	content: unknown;
	createReply(): KernelMessage;
	signAndSend(key: string, socket: unknown): void;
}

export interface JupyterServer {
	readonly iopub: unknown;
	readonly connInfo: { readonly key: string };
	bindSocket(socket: object, port: number): Promise<void>;
	handleShellMessage(socket: unknown, ...frames: Buffer[]): Promise<void>;
	handleExecute(socket: unknown, message: KernelMessage): Promise<void>;
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
