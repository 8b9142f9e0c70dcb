/** The two years the shop kept books: 2009-12 to 2011-12. Months are labels `YYYY-MM`, times are minutes since the first midnight. */

const FIRST_YEAR = 2009;
const FIRST_MONTH = 12;
const MONTH_COUNT = 25;
const EPOCH_MS = Date.UTC(FIRST_YEAR, FIRST_MONTH - 1, 1);

export const MINUTES_PER_DAY = 1440;

const startMinutes = Array.from({ length: MONTH_COUNT + 1 }, (_, index) => {
	const startMs = Date.UTC(FIRST_YEAR, FIRST_MONTH - 1 + index, 1);
	return (startMs - EPOCH_MS) / 60_000;
});

/** All 25 months of the books, in order. */
export const MONTHS: readonly string[] = Array.from({ length: MONTH_COUNT }, (_, index) =>
	new Date(Date.UTC(FIRST_YEAR, FIRST_MONTH - 1 + index, 1)).toISOString().slice(0, 7),
);

/** Minutes from the first midnight to the start of month `index`; `index` = 25 is the end of the books. */
export function monthStart(index: number): number {
	const start = startMinutes[index];
	if (start === undefined) throw new RangeError(`month index must be from 0 to ${MONTH_COUNT}, got ${index}`);
	return start;
}

/** Calendar month 0 (January) to 11 of month `index`. */
export function calendarMonth(index: number): number {
	return (FIRST_MONTH - 1 + index) % 12;
}

const TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})$/;

/**
 * Minutes since the first midnight of `2010-11-30T08:15`, or what is wrong with it in words.
 * Times are the shop's own clock: no zone is added or taken away.
 */
export function parseTime(text: string): number | string {
	const parts = TIME.exec(text);
	if (parts === null) return "is not a time like 2010-11-30T08:15";
	const atMs = Date.parse(`${text}Z`);
	// Date.parse lets 30 February through as 2 March.
	if (Number.isNaN(atMs) || !new Date(atMs).toISOString().startsWith(text)) return "is not a time that exists";
	const minutes = (atMs - EPOCH_MS) / 60_000;
	if (minutes < 0 || minutes >= monthStart(MONTH_COUNT))
		return `is outside the shop's books (${MONTHS[0]} to ${MONTHS[MONTH_COUNT - 1]})`;
	return minutes;
}

/** What a customer-month is for: `fit` grows the trees, `heldOut` decides when to stop, `test` is scored and asked for. */
export type Split = "fit" | "heldOut" | "test";
export const SPLITS = ["fit", "heldOut", "test"] as const satisfies readonly Split[];

export const FIRST_FEATURE_MONTH = MONTHS.indexOf("2010-01");
export const LAST_FEATURE_MONTH = MONTHS.indexOf("2011-11");
const FIRST_HELD_OUT = MONTHS.indexOf("2011-04");
const FIRST_TEST = MONTHS.indexOf("2011-07");

/** The split of month `index`: training ends with 2011-06 (its last three months are held out), test is 2011-07 to 2011-11. */
export function splitOf(index: number): Split {
	return index >= FIRST_TEST ? "test" : index >= FIRST_HELD_OUT ? "heldOut" : "fit";
}
