import { CodedError } from "../base/index.js";
import { literal, type Parameter, type ParameterType, readDeclarations } from "./declarations.js";
import { type Cell, type CodeCell, hasTag, type Notebook } from "./format.js";

/** Values by parameter name, as typed on a command line. */
export type ParameterTexts = Readonly<Record<string, string>>;
export type ParameterValue = string | number | boolean | readonly (string | number | boolean)[];

/** The parameters a notebook declares: those of its cell tagged `parameters`. */
export function declaredParameters(notebook: Notebook): Parameter[] {
	const cell = notebook.cells.find((candidate) => hasTag(candidate, "parameters"));
	return cell?.cell_type === "code" ? readDeclarations(cell.source) : [];
}

/** `seed: number = 7`, one line of the list that an error shows. */
export function describeParameter({ name, type, initializer }: Parameter): string {
	return `${name}: ${type === undefined ? "not settable" : describeType(type)} = ${initializer}`;
}

/**
 * Reads one value as the parameter's type.
 *
 * @throws {CodedError} `BAD_PARAMETER` for a value of another type.
 */
export function parameterValue(parameter: Parameter, text: string): ParameterValue {
	const { name, type } = parameter;
	if (type === undefined) {
		throw new CodedError("BAD_PARAMETER", `parameter ${name} cannot be set: its type is not known`, {
			hint: `write the type into the parameters cell, for instance: ${parameter.keyword} ${name}: number = …`,
		});
	}
	const value = read(type, text);
	if (value === undefined) {
		throw new CodedError("BAD_PARAMETER", `parameter ${name} takes ${describeType(type)}, got "${text}"`);
	}
	return value;
}

/**
 * Gives parameters their values: a cell tagged `injected-parameters` behind the one tagged `parameters`. Names that the
 * notebook does not declare are left to the caller (`checkParameters`), and a value that the notebook declares already is
 * not declared again. Returns the values in force, by name.
 */
export function injectParameters(notebook: Notebook, texts: ParameterTexts): Record<string, ParameterValue> {
	const parameters = declaredParameters(notebook);
	const values: Record<string, ParameterValue> = {};
	const lines: string[] = [];
	for (const parameter of parameters) {
		const standard = literal(parameter.initializer);
		if (standard !== undefined) values[parameter.name] = standard;
		const text = texts[parameter.name];
		if (text === undefined) continue;
		const value = parameterValue(parameter, text);
		values[parameter.name] = value;
		if (isDefault(parameter, value)) continue;
		const annotation = parameter.annotation === undefined ? "" : `: ${parameter.annotation}`;
		lines.push(`${parameter.keyword} ${parameter.name}${annotation} = ${JSON.stringify(value)};`);
	}
	notebook.cells = notebook.cells.filter((cell) => !hasTag(cell, "injected-parameters"));
	if (lines.length > 0) {
		const place = notebook.cells.findIndex((cell) => hasTag(cell, "parameters"));
		notebook.cells.splice(place + 1, 0, injectedCell([PUT_IN, ...lines].join("\n"), notebook.cells));
	}
	return values;
}

/** Two declarations of one name look like a mistake to a reader; this line says whose the second one is. */
const PUT_IN = "// Put in by the program that ran this notebook, in place of what the cell above says.";

/** True when the declaration as written has this value already. */
function isDefault({ initializer }: Parameter, value: ParameterValue): boolean {
	return typeof value === "object"
		? initializer.replace(/\s/g, "") === JSON.stringify(value)
		: literal(initializer) === value;
}

/**
 * Checks values against the parameters of all notebooks together: each must be declared by at least one, and fit.
 *
 * @throws {CodedError} `UNKNOWN_PARAMETER` with the list of what there is, `BAD_PARAMETER`.
 */
export function checkParameters(texts: ParameterTexts, notebooks: ReadonlyMap<string, Notebook>): void {
	const declared = [...notebooks].flatMap(([path, notebook]) =>
		declaredParameters(notebook).map((parameter) => ({ path, parameter })),
	);
	for (const [name, text] of Object.entries(texts)) {
		const matching = declared.filter(({ parameter }) => parameter.name === name);
		if (matching.length === 0) throw unknown(name, declared);
		for (const { parameter } of matching) parameterValue(parameter, text);
	}
}

function unknown(name: string, declared: readonly { path: string; parameter: Parameter }[]): CodedError {
	const lines = [...new Set(declared.map(({ parameter }) => describeParameter(parameter)))];
	const list = lines.length === 0 ? "these notebooks have no parameters" : `there are:\n  ${lines.join("\n  ")}`;
	return new CodedError("UNKNOWN_PARAMETER", `no notebook has a parameter ${name}; ${list}`);
}

function injectedCell(source: string, others: readonly Cell[]): CodeCell {
	const taken = new Set(others.map((cell) => cell.id));
	const id = ["injected-parameters", "injected-parameters-2"].find((candidate) => !taken.has(candidate));
	return {
		cell_type: "code",
		id: id ?? "injected-parameters-3",
		metadata: { tags: ["injected-parameters"] },
		source,
		execution_count: null,
		outputs: [],
	};
}

function read(type: ParameterType, text: string): ParameterValue | undefined {
	switch (type.kind) {
		case "string":
			return text;
		case "number":
			return number(text);
		case "boolean":
			return text === "true" ? true : text === "false" ? false : undefined;
		case "choice":
			return type.values.find((value) => String(value) === text);
		case "list": {
			if (text.trim() === "") return [];
			const items = text.split(",").map((item) => read({ kind: type.of }, item.trim()));
			return items.every((item) => typeof item === type.of) ? items.filter(isScalar) : undefined;
		}
	}
}

function isScalar(value: ParameterValue | undefined): value is string | number | boolean {
	return value !== undefined && typeof value !== "object";
}

function number(text: string): number | undefined {
	const value = Number(text);
	return text.trim() === "" || !Number.isFinite(value) ? undefined : value;
}

function describeType(type: ParameterType): string {
	if (type.kind === "choice") return type.values.map((value) => JSON.stringify(value)).join(" | ");
	return type.kind === "list"
		? `a comma list of ${type.of}s`
		: type.kind === "boolean"
			? "true or false"
			: `a ${type.kind}`;
}
