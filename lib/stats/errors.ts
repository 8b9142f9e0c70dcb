/** Thrown for numbers no statistic can be made of; the fields are those of every coded error of the workbook. */
export class StatsError extends Error {
	override readonly name: string = "StatsError";
	readonly code: string;
	readonly hint: string | undefined;
	readonly exitCode: 1 | 2 | 130 = 2;

	constructor(code: string, message: string, hint?: string) {
		super(message);
		this.code = code;
		this.hint = hint;
	}
}

/** @throws {StatsError} `BAD_NUMBER` unless `value` is finite and at least `min`. */
export function requireNumber(name: string, value: number, min = Number.NEGATIVE_INFINITY): void {
	if (!Number.isFinite(value) || value < min) {
		const range = min === Number.NEGATIVE_INFINITY ? "" : ` of at least ${min}`;
		throw new StatsError("BAD_NUMBER", `${name} must be a finite number${range}, got ${value}`);
	}
}

/** @throws {StatsError} `BAD_NUMBER` unless `value` is a whole number of at least `min`. */
export function requireCount(name: string, value: number, min = 1): void {
	if (!Number.isInteger(value) || value < min) {
		throw new StatsError("BAD_NUMBER", `${name} must be a whole number of at least ${min}, got ${value}`);
	}
}
