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

/** The parts of an output whose parts are closed by a zero byte. */
export function zeroParts(output: string): readonly string[] {
	return output.split("\0").filter((part) => part !== "");
}
