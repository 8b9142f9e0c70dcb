/** What a parameter may hold. */
export type ParameterType =
	| { readonly kind: "string" }
	| { readonly kind: "number" }
	| { readonly kind: "boolean" }
	/** One of the literals, as in `"quick" | "full"` or `1 | 2`. */
	| { readonly kind: "choice"; readonly values: readonly (string | number | boolean)[] }
	| { readonly kind: "list"; readonly of: "string" | "number" | "boolean" };

/** One declaration in a cell tagged `parameters`. */
export interface Parameter {
	readonly name: string;
	readonly keyword: "const" | "let" | "var";
	/** undefined: neither written nor to be seen from the value, so it cannot be set from outside. */
	readonly type: ParameterType | undefined;
	/** The type as written, to be repeated where a value is injected. */
	readonly annotation: string | undefined;
	/** The default as written. */
	readonly initializer: string;
}

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;
const SKIPPED = new RegExp(String.raw`(${STRING}|\`(?:[^\`\\]|\\.)*\`)|//[^\n]*|/\*[\s\S]*?\*/`, "g");

/**
 * Reads the declarations of a parameters cell: `const seed: number = 7;`, `let profile = "quick"`. Comments are
 * skipped. The type is the annotation, or that of a literal value.
 */
export function readDeclarations(source: string): Parameter[] {
	// Comments become blanks of the same length; strings stay, so that a "//" inside one is no comment.
	const code = source.replace(SKIPPED, (whole, text: string | undefined) => text ?? whole.replace(/[^\n]/g, " "));
	const found: Parameter[] = [];
	for (const statement of statements(code)) {
		const match = /^(const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::([\s\S]*?))?=(?!=|>)([\s\S]*)$/.exec(statement);
		if (match === null) continue;
		const [, keyword, name = "", annotation, initializer = ""] = match;
		found.push({
			name,
			keyword: keyword === "let" || keyword === "var" ? keyword : "const",
			type: annotation === undefined ? typeOfValue(initializer.trim()) : typeOfAnnotation(annotation.trim()),
			annotation: annotation?.trim(),
			initializer: initializer.trim(),
		});
	}
	return found;
}

/** Splits at semicolons, and at line ends where a new declaration starts, outside of brackets and strings. */
function statements(code: string): string[] {
	const result: string[] = [];
	let depth = 0;
	let start = 0;
	const token = new RegExp(String.raw`${STRING}|\`(?:[^\`\\]|\\.)*\`|[()[\]{};]|\n(?=\s*(?:const|let|var)\s)`, "g");
	for (const { 0: text, index } of code.matchAll(token)) {
		if (/^[([{]$/.test(text)) depth++;
		else if (/^[)\]}]$/.test(text)) depth--;
		else if (depth === 0 && (text === ";" || text === "\n")) {
			result.push(code.slice(start, index).trim());
			start = index + 1;
		}
	}
	result.push(code.slice(start).trim());
	return result;
}

function typeOfAnnotation(text: string): ParameterType | undefined {
	if (text === "string" || text === "number" || text === "boolean") return { kind: text };
	const list = /^(?:readonly\s+)?(string|number|boolean)\s*\[\]$/.exec(text)?.[1];
	if (list === "string" || list === "number" || list === "boolean") return { kind: "list", of: list };
	const values = text
		.replace(/^\|/, "")
		.split("|")
		.map((item) => literal(item.trim()));
	return values.every((value) => value !== undefined) ? { kind: "choice", values } : undefined;
}

function typeOfValue(text: string): ParameterType | undefined {
	const value = literal(text);
	if (typeof value === "string") return { kind: "string" };
	if (typeof value === "number") return { kind: "number" };
	if (typeof value === "boolean") return { kind: "boolean" };
	const items = /^\[([\s\S]*?),?\s*\]$/
		.exec(text)?.[1]
		?.split(",")
		.map((item) => literal(item.trim()));
	const [first] = items ?? [];
	if (items === undefined || first === undefined || items.some((item) => typeof item !== typeof first))
		return undefined;
	return { kind: "list", of: typeof first === "string" ? "string" : typeof first === "number" ? "number" : "boolean" };
}

/** The value of a literal, undefined for anything else. */
export function literal(text: string): string | number | boolean | undefined {
	if (text === "true" || text === "false") return text === "true";
	if (/^[-+]?(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:e[-+]?\d+)?$/i.test(text)) return Number(text.replaceAll("_", ""));
	if (!new RegExp(`^(?:${STRING}|\`(?:[^\`\\\\$]|\\\\.)*\`)$`).test(text)) return undefined;
	return text
		.slice(1, -1)
		.replace(/\\(.)/g, (_, character: string) => (character === "n" ? "\n" : character === "t" ? "\t" : character));
}
