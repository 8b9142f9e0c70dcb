/**
 * Puts the SIGINT listeners in force again. While the synchronous part of a cell runs, Node's vm watches SIGINT itself,
 * and when it stops it resets the handler of the process to the one that ends it. Listeners from before are put back,
 * but one that the cell added keeps them from being registered anew, and the next interrupt ends the kernel.
 */
export function rearmInterrupt(): void {
	const listeners = process.rawListeners("SIGINT");
	process.removeAllListeners("SIGINT");
	for (const listener of listeners) process.on("SIGINT", listener as NodeJS.SignalsListener);
}
