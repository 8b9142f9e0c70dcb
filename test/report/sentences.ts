import { makeReport, openSource, plainText, type Report, sectionsOf } from "batching-lab/report";

/** The report of a record in a folder. */
export function reportOf(folder: string): Report {
	const source = openSource(folder);
	try {
		return makeReport(source);
	} finally {
		source.close();
	}
}

/**
 * What a section would say if some numbers had come out otherwise: the sentences are written from the numbers alone.
 *
 * @param changes by key; null takes a number away
 */
export function saying(report: Report, id: string, changes: Readonly<Record<string, number | null>> = {}): string {
	const numbers = new Map(report.numbers);
	for (const [key, value] of Object.entries(changes)) {
		if (value === null) numbers.delete(key);
		else numbers.set(key, value);
	}
	const found = sectionsOf(report.facts, { ...report, numbers }, report.grades).find((section) => section.id === id);
	return plainText(found?.markdown ?? "");
}

/** Numbers of a paired comparison in which `agree` of `rounds` rounds go the way of `median`. */
export function pair(key: string, median: number, agree: number, rounds: number): Record<string, number | null> {
	return {
		[`${key}/median`]: median,
		[`${key}/low`]: median - 1,
		[`${key}/high`]: median + 1,
		[`${key}/agree`]: agree,
		[`${key}/rounds`]: rounds,
		[`${key}/toldApart`]: rounds < 5 ? null : agree < rounds ? 0 : Math.sign(median),
	};
}
