/** A number in prose with what it stands for. */
export interface KeyedNumber {
	readonly key: string;
	/** The unrounded value it carries; undefined in hand-written text. */
	readonly value: number | undefined;
	/** As it is printed. */
	readonly text: string;
}

const SPAN = /<span\b[^>]*\bdata-key="([^"]*)"[^>]*>([\s\S]*?)<\/span>/g;

function decode(text: string): string {
	return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

/** Every span that carries a key. */
export function keyedNumbers(markdown: string): KeyedNumber[] {
	return [...withoutCode(markdown).matchAll(SPAN)].map(([span, key = "", text = ""]) => {
		const value = /\bdata-value="([^"]*)"/.exec(span)?.[1];
		return { key: decode(key), value: value === undefined ? undefined : Number(value), text: decode(text) };
	});
}

/** Code is quoted, not claimed. */
function withoutCode(markdown: string): string {
	return markdown.replace(/```[\s\S]*?```|~~~[\s\S]*?~~~/g, " ").replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, " ");
}

/**
 * Numbers that no key stands behind. What is not a claim about anything measured needs none: code, names with letters
 * in front (`p99`, `b32w0`), the number of a notebook at the start of its heading, list numbers, addresses of links.
 * Numbers written as words are words.
 */
export function bareNumbers(markdown: string): string[] {
	const text = withoutCode(markdown)
		.replace(SPAN, " ")
		.replace(/<[^>]*>/g, " ")
		.replace(/\]\([^)]*\)/g, "] ")
		.replace(/https?:\/\/\S+/g, " ")
		.replace(/^(#+ +)\d+ *·/gm, "$1")
		.replace(/^(\s*(?:>\s*)*)\d+[.)] /gm, "$1");
	return [...text.matchAll(/(?<![\p{L}\p{N}_.,])[-−+]?\p{N}[\p{N}.,]*(?: ?%)?/gu)].map(([found]) =>
		found.replace(/[.,]+$/, ""),
	);
}

/** The number in a printed text and half a unit of its last digit; undefined when there is none. */
export function printedNumber(text: string): { readonly value: number; readonly halfUnit: number } | undefined {
	const found = /[-−+]?\d[\d,]*(?:\.(\d+))?(?:e([-+]?\d+))?/i.exec(text);
	if (found === null) return undefined;
	const [whole, decimals = "", exponent = "0"] = found;
	const value = Number(whole.replace(/,/g, "").replace("−", "-"));
	return { value, halfUnit: 0.5 * 10 ** (Number(exponent) - decimals.length) };
}
