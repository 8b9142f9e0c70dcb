/** The `key=value` lines of a script's output; a key that comes several times keeps all its values, in order. */
export function keyValues(output: string): ReadonlyMap<string, readonly string[]> {
	const found = new Map<string, string[]>();
	for (const line of output.split("\n")) {
		const cut = line.indexOf("=");
		if (cut <= 0) continue;
		const key = line.slice(0, cut);
		found.set(key, [...(found.get(key) ?? []), line.slice(cut + 1)]);
	}
	return found;
}

/**
 * What a machine said, fit for a terminal: without the control characters that could move its cursor, name its window or
 * hide what stands before them.
 */
export function plain(text: string): string {
	return text.replaceAll(/(?![\t\n])\p{Cc}/gu, "");
}

/** A run's exit code as its file on the box has it; -1, as for a run that died, where that is no number. */
export function exitCodeOf(text: string): number {
	return /^\d+$/.test(text.trim()) ? Number(text) : -1;
}

/** The parts of an output whose parts are closed by a zero byte. */
export function zeroParts(output: string): readonly string[] {
	return output.split("\0").filter((part) => part !== "");
}
