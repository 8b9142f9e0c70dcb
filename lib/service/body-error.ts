import type { FastifySchemaValidationError } from "fastify/types/schema.js";

const SHOWN_CHARACTERS = 60;

/** A value in a few characters. Objects are named, not written out: one 10,000 levels deep would overflow the stack. */
function shown(value: unknown): string {
	if (Array.isArray(value)) return `an array of ${value.length}`;
	if (typeof value === "object" && value !== null) return "an object";
	const text = JSON.stringify(value) ?? String(value);
	return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`;
}

/**
 * One sentence about the first thing that is wrong with a body: where, what was expected, what was there.
 * Nothing of the client's is repeated beyond 60 characters.
 */
export function describeBodyError(errors: readonly FastifySchemaValidationError[]): string {
	const [error] = errors;
	if (error === undefined) return "the body does not fit the schema";
	const { instancePath, keyword, params, message = "does not fit the schema" } = error;
	const where = `body${instancePath.replaceAll("/", ".")}`;
	if (keyword === "additionalProperties")
		return `${where} has a field that is not known: ${shown(params.additionalProperty)}`;
	if (keyword === "required") return `${where} ${message}`;
	const got = "data" in error ? `, got ${shown(error.data)}` : "";
	return `${where} ${message}${got}`;
}
