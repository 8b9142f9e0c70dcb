import { functionModel, type Model } from "batching-lab/model";
import {
	createService,
	type FeatureSource,
	parseSetting,
	type Service,
	type ServiceOptions,
} from "batching-lab/service";

/** Customers 1 … 9,999 have rows for these months; the features of a row are its customer, its month's place, and 1s. */
export const MONTHS: readonly string[] = ["2011-09", "2011-10", "2011-11"];
export const LAST_MONTH = "2011-11";

export const store: FeatureSource = {
	lookupInto(customerId, month = LAST_MONTH, target, offset) {
		const place = MONTHS.indexOf(month);
		if (customerId < 1 || customerId > 9999 || place < 0) return undefined;
		target.fill(1, offset, offset + 6);
		target[offset] = customerId;
		target[offset + 1] = place;
		return month;
	},
};

/** The score that `countingModel` gives: one float32 a row that nobody else has. */
export const scoreOf = (customerId: number, month: string = LAST_MONTH): number =>
	Math.fround((10 * customerId + MONTHS.indexOf(month)) / 99_999);

export interface TestModel {
	readonly model: Model;
	/** Rows of each call, in order. */
	readonly calls: number[];
	/** Lets the model answer again after `hold()`. */
	release(): void;
	/** From now on calls wait for `release`. */
	hold(): void;
}

/** A model of six features whose calls can be counted, held back, and made to fail for chosen customers. */
export function testModel(
	score: (customerId: number, place: number) => number = (customerId, place) => (10 * customerId + place) / 99_999,
): TestModel {
	const calls: number[] = [];
	let gate: Promise<void> | undefined;
	let open = () => {};
	const model = functionModel("test", [{ name: "x", type: "float32", width: 6 }], async ({ x }, rows) => {
		calls.push(rows);
		if (gate !== undefined) await gate;
		return Float32Array.from({ length: rows }, (_, row) => score(Number(x?.[6 * row]), Number(x?.[6 * row + 1])));
	});
	return {
		model,
		calls,
		hold() {
			gate = new Promise((resolve) => {
				open = resolve;
			});
		},
		release() {
			gate = undefined;
			open();
		},
	};
}

/** Runs a service for the time of one test. Warm-up calls are not counted. */
export async function withService(
	setting: string,
	{ calls, model, ...options }: Partial<TestModel> & Partial<ServiceOptions>,
	use: (service: Service, url: string) => Promise<void>,
): Promise<void> {
	const service = createService({
		store,
		model: model ?? testModel().model,
		setting: parseSetting(setting),
		drainMs: 20_000,
		...options,
	});
	const { url } = await service.listen();
	if (calls !== undefined) calls.length = 0;
	try {
		await use(service, url);
	} finally {
		await service.stop();
	}
}

export interface Answer {
	readonly status: number;
	readonly headers: Headers;
	readonly body: unknown;
	readonly text: string;
}

const isBytes = (body: unknown): body is Uint8Array<ArrayBuffer> => body instanceof Uint8Array;

export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
	const response = await fetch(`${url}/predict`, {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body: typeof body === "string" || isBytes(body) ? body : JSON.stringify(body),
	});
	return read(response);
}

export async function get(url: string): Promise<Answer> {
	return read(await fetch(url));
}

async function read(response: Response): Promise<Answer> {
	const text = await response.text();
	const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
	return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : undefined, text };
}

/** Resolves when `done` says so; looks every few ms, and fails loudly after half a minute. */
export async function until(done: () => boolean | Promise<boolean>, what: string): Promise<void> {
	const endMs = performance.now() + 30_000;
	while (!(await done())) {
		if (performance.now() > endMs) throw new Error(`never happened: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 2));
	}
}
