import { inspect } from "node:util";

/** Own symbols that async hooks leave on a promise or a timer: ids, and the contexts that tell which cell it belongs to. */
const LEFT_BY_HOOKS: ReadonlySet<string | undefined> = new Set([
	"async_id_symbol",
	"trigger_async_id_symbol",
	"kResourceStore",
]);

/** A promise or a timer that a cell shows looks as in a program without hooks: `Promise { <pending> }`. */
export function showWithoutHooks(): void {
	const timer = setTimeout(() => {}, 0);
	clearTimeout(timer);
	const immediate = setImmediate(() => {});
	clearImmediate(immediate);
	for (const kind of [Promise.prototype, Object.getPrototypeOf(timer), Object.getPrototypeOf(immediate)]) hideIn(kind);
}

function hideIn(prototype: object): void {
	const own: unknown = Reflect.get(prototype, inspect.custom);
	function show(this: object, ...given: unknown[]): unknown {
		for (const symbol of Object.getOwnPropertySymbols(this)) {
			if (LEFT_BY_HOOKS.has(symbol.description)) Object.defineProperty(this, symbol, { enumerable: false });
		}
		return typeof own === "function" ? own.apply(this, given) : this; // itself: shown as ever
	}
	Object.defineProperty(prototype, inspect.custom, { value: show, configurable: true, writable: true });
}
