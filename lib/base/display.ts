import { createRequire } from "node:module";

/** One output in several forms, by MIME type; the reader of the notebook shows the richest form it knows. */
export type MimeBundle = Readonly<Record<string, unknown>>;

export interface DisplayOptions {
	/** By MIME type, as the notebook format has it. */
	readonly metadata?: Readonly<Record<string, unknown>>;
	/** A name for this output, so that a later call with `update` can replace it in place. */
	readonly displayId?: string;
	/** Replace the output that carries `displayId`. @default false */
	readonly update?: boolean;
}

interface DisplayMessage {
	readonly data: MimeBundle;
	readonly metadata: Readonly<Record<string, unknown>>;
	readonly transient: { readonly display_id?: string };
}
type DisplayWriter = (message: DisplayMessage, update: boolean) => void;

const require = createRequire(import.meta.url);
let jupyterModulePath: string | undefined;

/**
 * The writer of the cell that runs now. tslab's public API shows one MIME type an output only, so this reaches for the
 * function beneath it. The module is looked up among those already loaded: the kernel's own copy is the only one that
 * has a writer, wherever it is installed, and outside a kernel nothing is loaded.
 */
function currentWriter(): DisplayWriter | undefined {
	if (jupyterModulePath === undefined) {
		jupyterModulePath = Object.keys(require.cache).find((path) => /[\\/]tslab[\\/]dist[\\/]jupyter\.js$/.test(path));
		if (jupyterModulePath === undefined) return undefined;
	}
	const exported: { readonly lastWriteDisplayData?: DisplayWriter | null } | undefined =
		require.cache[jupyterModulePath]?.exports;
	return exported?.lastWriteDisplayData ?? undefined;
}

/** True inside a notebook's kernel, where `displayMime` has somewhere to draw. */
export function inNotebook(): boolean {
	return currentWriter() !== undefined;
}

/**
 * Shows one output below the running cell. Binary data (`image/png`) is base64 text, everything else is text or JSON.
 * Outside a notebook the `text/plain` form goes to standard output, and nothing happens without one.
 *
 * @example
 * displayMime({ "text/html": "<b>12</b>", "text/plain": "12" });
 */
export function displayMime(data: MimeBundle, options: DisplayOptions = {}): void {
	const write = currentWriter();
	if (write === undefined) {
		const text = data["text/plain"];
		if (typeof text === "string") process.stdout.write(`${text}\n`);
		return;
	}
	const { metadata = {}, displayId, update = false } = options;
	write({ data, metadata, transient: displayId === undefined ? {} : { display_id: displayId } }, update);
}
