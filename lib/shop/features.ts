import {
	FIRST_FEATURE_MONTH,
	LAST_FEATURE_MONTH,
	MINUTES_PER_DAY,
	monthStart,
	type Split,
	splitOf,
} from "./calendar.js";
import type { Invoice } from "./types.js";

/** One row of the feature table: what was known of a customer when a month began, and whether they bought in it. */
export interface FeatureRow {
	readonly customerId: number;
	/** Index into MONTHS. */
	readonly monthIndex: number;
	readonly split: Split;
	/** FEATURE_NAMES order. */
	readonly features: readonly number[];
	/** 1 = at least one purchase within the month. */
	readonly label: 0 | 1;
}

const WINDOW_MINUTES = 90 * MINUTES_PER_DAY;

/** Invoices a customer, oldest first; customers by rising id. */
function byCustomer(invoices: readonly Invoice[]): Invoice[][] {
	const groups = new Map<number, Invoice[]>();
	for (const invoice of invoices) {
		const group = groups.get(invoice.customerId);
		if (group === undefined) groups.set(invoice.customerId, [invoice]);
		else group.push(invoice);
	}
	for (const group of groups.values()) group.sort((a, b) => a.minute - b.minute);
	return [...groups.entries()].sort(([a], [b]) => a - b).map(([, group]) => group);
}

function wholeDays(fromMinute: number, toMinute: number): number {
	return Math.floor((toMinute - fromMinute) / MINUTES_PER_DAY);
}

/** Rows of one customer, month by month. One pass: `known` invoices lie before the month, `recent` before its last 90 days. */
function* rowsOf(invoices: readonly Invoice[]): Generator<FeatureRow> {
	const first = invoices[0];
	if (first === undefined) return;
	let known = 0;
	let recent = 0;
	let orders = 0;
	let pence = 0;
	let recentOrders = 0;
	let lastPurchase: number | undefined;
	for (let monthIndex = FIRST_FEATURE_MONTH; monthIndex <= LAST_FEATURE_MONTH; monthIndex++) {
		const start = monthStart(monthIndex);
		const end = monthStart(monthIndex + 1);
		if (first.minute >= start) continue;
		for (let next = invoices[known]; next !== undefined && next.minute < start; next = invoices[++known]) {
			if (!next.purchase) continue;
			orders++;
			recentOrders++;
			pence += next.pence;
			lastPurchase = next.minute;
		}
		const windowStart = start - WINDOW_MINUTES;
		for (let next = invoices[recent]; next !== undefined && next.minute < windowStart; next = invoices[++recent])
			if (next.purchase) recentOrders--;
		let label: 0 | 1 = 0;
		for (let ahead = known; label === 0 && (invoices[ahead]?.minute ?? end) < end; ahead++)
			if (invoices[ahead]?.purchase === true) label = 1;
		const tenureDays = wholeDays(first.minute, start);
		const recencyDays = lastPurchase === undefined ? tenureDays : wholeDays(lastPurchase, start);
		const spend = pence / 100;
		const features = [recencyDays, tenureDays, orders, spend, orders === 0 ? 0 : spend / orders, recentOrders];
		yield { customerId: first.customerId, monthIndex, split: splitOf(monthIndex), features, label };
	}
}

/**
 * The feature table: one row for every customer with any invoice, cancellations included, before the start of the
 * month, for the months 2010-01 to 2011-11; by rising customer, then month. A feature looks only at what lies before
 * the month's first minute, the label only at what lies within the month.
 *
 * `recency_days` counts from the last purchase; a customer who has only cancelled so far has none, and there it is
 * the tenure. Days are whole, rounded down; money is pounds.
 */
export function makeFeatures(invoices: readonly Invoice[]): FeatureRow[] {
	const rows: FeatureRow[] = [];
	for (const group of byCustomer(invoices)) for (const row of rowsOf(group)) rows.push(row);
	return rows;
}
