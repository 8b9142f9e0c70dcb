/**
 * Prose whose numbers know where they come from. A number in computed Markdown is a span that carries a key and the
 * unrounded value, so that the executed notebook can be checked against the record without running it again:
 *
 *     <span data-key="alone/gbt/1/callUs" data-value="10.58">10.6 µs</span>
 *
 * Keys are paths: what, which model, which setting, at which rate, which quantity.
 *
 *     alone/gbt/32/callUs · alone/gbt/fixedUs · bits/ft/1024/differingRows · saturation/gbt/none/answersPerSecond
 *     sweep/gbt/b32w0/x0.5/p99Ms · pair/gbt/b32w0~none/x0.5/p50Ms/agree · reference/lesson-004 · rule/keepsUpPercent
 *     minus/A;B (A and B are other keys) · machine/cores · virtual/… (worked out on a virtual clock, no record)
 *
 * Numbers in hand-written Markdown cells carry a key in the same way; numbers inside `code` and in words need none.
 */
export interface Fact {
	readonly key: string;
	readonly value: number;
	/** As it is printed, with its unit. */
	readonly text: string;
}

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);

/** Significant digits that still mean something: three, and no more than the number has before its point. */
export function rounded(value: number): string {
	if (!Number.isFinite(value)) return String(value);
	if (Number.isInteger(value) && Math.abs(value) < 1e15) return value.toLocaleString("en-US");
	const digits = Math.max(3, Math.ceil(Math.log10(Math.abs(value) + 1)));
	return Number(value.toPrecision(digits)).toLocaleString("en-US", { maximumFractionDigits: 6 });
}

/** A number with its key and its unit. `text` replaces the rounded number where words or another unit read better. */
export function fact(key: string, value: number, unit = "", text: string = rounded(value)): Fact {
	return { key, value, text: unit === "" ? text : unit === "%" ? `${text} %` : `${text} ${unit}` };
}

function isFact(value: unknown): value is Fact {
	return typeof value === "object" && value !== null && "key" in value && "value" in value && "text" in value;
}

/** Markdown from a template; facts become spans, strings stay Markdown. A bare number is refused: give it a key. */
export function prose(strings: TemplateStringsArray, ...values: readonly (Fact | string)[]): string {
	return strings.reduce((text, part, at) => {
		const value = values[at - 1];
		if (isFact(value)) {
			return `${text}<span data-key="${escapeHtml(value.key)}" data-value="${value.value}">${escapeHtml(value.text)}</span>${part}`;
		}
		return `${text}${value ?? ""}${part}`;
	});
}
