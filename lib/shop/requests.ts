import { readFileSync } from "node:fs";
import { z } from "zod";
import { CodedError, hasCode, seededRandom, shuffled } from "../base/index.js";

/** One request of the list that every client sends. */
export interface ShopRequest {
	readonly customerId: number;
	/** The month that the answer is about, `YYYY-MM`, also where the body leaves it out. */
	readonly month: string;
	/** JSON to post to /predict. */
	readonly body: string;
}

const REQUESTS_FORMAT = 1;
const requestsSchema = z.object({
	format: z.literal(REQUESTS_FORMAT),
	seed: z.number().int(),
	/** [customer, month, 1 = the body names the month]. */
	requests: z.array(
		z.tuple([z.number().int(), z.string().regex(/^\d{4}-\d{2}$/), z.union([z.literal(0), z.literal(1)])]),
	),
});

export interface RequestDraw {
	readonly seed: number;
	readonly count: number;
}

/**
 * Draws requests from customer-months without putting back, so that as many scores as can be are asked for; where
 * there are fewer rows than requests, every row comes as often as the next, give or take one.
 * Half of those that ask about the customer's last month leave the month out.
 *
 * @returns the text of the request file
 */
export function drawRequests(
	rows: readonly { readonly customerId: number; readonly month: string; readonly last: boolean }[],
	{ seed, count }: RequestDraw,
): string {
	const random = seededRandom(seed);
	const drawn: (typeof rows)[number][] = [];
	while (drawn.length < count && rows.length > 0) drawn.push(...shuffled(rows, random).slice(0, count - drawn.length));
	const requests = drawn.map(({ customerId, month, last }) => [customerId, month, last && random() < 0.5 ? 0 : 1]);
	return `{"format":${REQUESTS_FORMAT},"seed":${seed},"requests":[\n${requests.map((request) => JSON.stringify(request)).join(",\n")}\n]}\n`;
}

function requestBody(customerId: number, month: string, namesMonth: boolean): string {
	return JSON.stringify(namesMonth ? { customerId, month } : { customerId });
}

/**
 * Reads a request list, in the order in which clients send it.
 *
 * @throws {CodedError} `REQUESTS_MISSING`, `REQUESTS_FOREIGN`
 */
export function readRequests(path: string): ShopRequest[] {
	let text: string;
	try {
		text = readFileSync(path, "utf8");
	} catch (error) {
		if (!hasCode(error) || error.code !== "ENOENT") throw error;
		throw new CodedError("REQUESTS_MISSING", `no request list at ${path}`, {
			hint: "workbook data reset makes it together with the synthetic shop",
			cause: error,
		});
	}
	const parsed = requestsSchema.safeParse(parseJson(text));
	if (!parsed.success)
		throw new CodedError("REQUESTS_FOREIGN", `${path} is not a request list of this version`, {
			hint: "remove it; the next run makes it again",
			cause: parsed.error,
		});
	return parsed.data.requests.map(([customerId, month, namesMonth]) => ({
		customerId,
		month,
		body: requestBody(customerId, month, namesMonth === 1),
	}));
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
