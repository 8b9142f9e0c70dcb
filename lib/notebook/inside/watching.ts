import { createRequire } from "node:module";

/** What TypeScript's watch mode asks of its host, as far as it matters here. */
interface WatchHost {
	setTimeout(callback: Timed, ms: number): unknown;
	clearTimeout(timer: unknown): void;
}
type Timed = (...given: unknown[]) => void;

/** TypeScript's name for "some package.json or folder has changed: look names up again". */
const LOOK_UP_AGAIN = "invalidateResolutionsOfFailedLookup";

/**
 * A package that is installed or rebuilt while the kernel runs must not end it. TypeScript then sets a timer to look
 * names up again. tslab has room for one timer only, the one that compiles the next cell: it throws, in the watcher or
 * in the next cell, and that cell is never answered. Nothing is lost without the timer, since every compilation looks
 * up what has changed before it starts.
 *
 * Call it before tslab is loaded: it gets TypeScript from `require`.
 */
export function surviveChangedPackages(): void {
	const require = createRequire(createRequire(import.meta.url).resolve("tslab/package.json"));
	const typescript: { readonly createWatchProgram: (host: WatchHost) => unknown } = require(TYPESCRIPT);
	const loaded = require.cache[require.resolve(TYPESCRIPT)];
	if (loaded === undefined) throw new Error(`${TYPESCRIPT} is not where require keeps it`);
	const createWatchProgram = (host: WatchHost) => typescript.createWatchProgram(withoutLookUpTimer(host));
	loaded.exports = { ...typescript, createWatchProgram };
}

const TYPESCRIPT = "@tslab/typescript-for-tslab";

function withoutLookUpTimer(host: WatchHost): WatchHost {
	const left = new Set<unknown>();
	const { setTimeout, clearTimeout } = host;
	host.setTimeout = (callback, ms) => {
		if (callback.name !== LOOK_UP_AGAIN) return setTimeout(callback, ms);
		const timer = {};
		left.add(timer);
		return timer;
	};
	host.clearTimeout = (timer) => {
		if (!left.delete(timer)) clearTimeout(timer);
	};
	return host;
}
