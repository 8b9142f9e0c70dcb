import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Counts } from "./histogram.js";

type Labels = Readonly<Record<string, string | number>>;

/** One line of a metric: its labels and where its number is now. */
export interface Series<T> {
	readonly labels: Labels;
	readonly value: T;
}

/**
 * What a metric is, and a function that reads its present value. prom-client keeps nothing of its own here: counting
 * through its objects costs about a microsecond a request (string keys for labels and buckets), so the service counts
 * in plain numbers and these objects read them when `/metrics` is asked for.
 */
export interface MetricSpec<T> {
	readonly name: string;
	readonly help: string;
	readonly labelNames?: readonly string[];
	readonly read: () => Iterable<Series<T>>;
}

/** For metrics without labels. */
export const single = <T>(value: T): Series<T>[] => [{ labels: {}, value }];

export function addCounter(registry: Registry, { name, help, labelNames = [], read }: MetricSpec<number>): void {
	new Counter({
		name,
		help,
		labelNames,
		registers: [registry],
		collect() {
			this.reset();
			for (const { labels, value } of read()) this.inc(labels, value);
		},
	});
}

export function addGauge(registry: Registry, { name, help, labelNames = [], read }: MetricSpec<number>): void {
	new Gauge({
		name,
		help,
		labelNames,
		registers: [registry],
		collect() {
			this.reset();
			for (const { labels, value } of read()) this.set(labels, value);
		},
	});
}

/** prom-client lays the lines out; the numbers come from `Counts`. */
class FilledHistogram extends Histogram {
	readonly #template: Histogram;
	readonly #read: () => Iterable<Series<Counts>>;

	constructor(
		registry: Registry,
		{ name, help, labelNames = [], read }: MetricSpec<Counts>,
		bounds: readonly number[],
	) {
		const shape = { name, help, labelNames, buckets: [...bounds] };
		super({ ...shape, registers: [registry] });
		this.#template = new Histogram({ ...shape, registers: [] });
		this.#read = read;
	}

	override async get() {
		const series = [...this.#read()];
		for (const { labels } of series) this.#template.zero(labels);
		const layout = await this.#template.get();
		const numbers = series.flatMap(({ value }) => [...value.cumulative(), value.count, value.sum, value.count]);
		return { ...layout, values: layout.values.map((line, index) => ({ ...line, value: numbers[index] ?? 0 })) };
	}

	/** The registry's text writer asks this one, `get` serves its JSON writer. */
	getForPromString() {
		return this.get();
	}
}

export function addHistogram(registry: Registry, spec: MetricSpec<Counts>, bounds: readonly number[]): void {
	new FilledHistogram(registry, spec, bounds);
}
