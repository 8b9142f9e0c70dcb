import { randomBeta, randomExponential, randomGamma } from "d3-random";
import { type Random, seededRandom, shuffled } from "../base/index.js";
import { calendarMonth, MINUTES_PER_DAY, MONTHS, monthStart } from "./calendar.js";
import type { Invoice, Shop } from "./types.js";

/**
 * A made-up shop in the shape of the real one, for everybody who has not imported the real file.
 *
 * Purchases follow BG/NBD (Fader, Hardie and Lee, "Counting your customers the easy way", Marketing Science 2005):
 * a customer buys at a rate of their own, and after each purchase may be gone for good. Spend follows gamma–gamma
 * (Fader and Hardie 2013). Each month starts as many new customers as the real shop had, so the number of
 * customer-months – 61,678 before 2011-07 and 26,851 from there on – holds for every seed.
 */
const NEW_CUSTOMERS = [
	1045, 394, 363, 436, 291, 254, 269, 183, 158, 242, 379, 322, 77, 71, 123, 178, 105, 108, 108, 102, 106, 187, 221, 192,
	28,
];
/** January to December: how many of its known customers come back to the real shop in a month, relative to the year. */
const SEASON = [0.84, 0.78, 0.95, 0.87, 1.07, 0.98, 0.92, 0.88, 1.12, 1.15, 1.42, 1.03];
const FIRST_CUSTOMER = 12_346;
/** The books close on 2011-12-09 in the evening. */
const END_MINUTE = monthStart(MONTHS.length - 1) + 9 * MINUTES_PER_DAY - 4 * 60;

/** λ ~ Gamma(1) / 58 days. */
const RATE = { shape: 1, days: 58 };
/** The chance to be gone after a purchase, ~ Beta(0.4, 3). */
const DROPOUT = { alpha: 0.4, beta: 3 };
/** An order ~ Gamma(3) / ν with ν ~ Gamma(3) / 32,000 pence: a mean order of £480. */
const SPEND = { orderShape: 3, customerShape: 3, pence: 32_000 };
/** A purchase is followed by a cancellation note; some customers' first entry cancels what they bought before the books begin. */
const CANCELLED = { share: 0.2, afterDays: 12, firstShare: 0.012 };

/** Days of the calendar that hold `busyDays` days of average business, starting at `minute`. */
function advance(minute: number, busyDays: number): number {
	let left = busyDays * MINUTES_PER_DAY;
	let at = minute;
	for (let month = 0; month < MONTHS.length; month++) {
		const end = monthStart(month + 1);
		if (at >= end) continue;
		const pace = SEASON[calendarMonth(month)] ?? 1;
		const reached = at + left / pace;
		if (reached < end) return reached;
		left -= (end - at) * pace;
		at = end;
	}
	return Number.POSITIVE_INFINITY;
}

function drawCustomer(customerId: number, firstMinute: number, random: Random): Invoice[] {
	const gamma = randomGamma.source(random);
	const exponential = randomExponential.source(random);
	const purchasesPerDay = gamma(RATE.shape, 1 / RATE.days)();
	const dropout = randomBeta.source(random)(DROPOUT.alpha, DROPOUT.beta)();
	const scalePence = SPEND.pence / gamma(SPEND.customerShape)();
	const orderPence = gamma(SPEND.orderShape, scalePence);
	const gapDays = exponential(purchasesPerDay);
	const cancelDays = exponential(1 / CANCELLED.afterDays);

	const invoices: Invoice[] = [];
	const cancel = (minute: number): void => {
		if (minute < END_MINUTE) invoices.push({ customerId, minute: Math.floor(minute), purchase: false, pence: 0 });
	};
	let minute = firstMinute;
	if (random() < CANCELLED.firstShare) {
		cancel(minute);
		minute = advance(minute, gapDays());
	}
	while (minute < END_MINUTE) {
		const pence = Math.max(1, Math.round(orderPence()));
		invoices.push({ customerId, minute: Math.floor(minute), purchase: true, pence });
		if (random() < CANCELLED.share) cancel(minute + cancelDays() * MINUTES_PER_DAY);
		if (random() < dropout) break;
		minute = advance(minute, gapDays());
	}
	return invoices;
}

/**
 * The seed of the shop that everybody has before they import the real one. Its test rows buy about as often as the
 * real ones (0.2025 to 0.2000) and early stopping ends with as many trees (50), so `gbt` costs the same on both.
 */
export const DEFAULT_SHOP_SEED = 12;

/**
 * Draws the made-up shop: 5,942 customers numbered from 12346, two years of invoices. Equal seeds give equal shops.
 *
 * @example
 * const shop = syntheticShop(DEFAULT_SHOP_SEED);
 * makeFeatures(shop.invoices).filter((row) => row.split === "test").length; // 26851, whatever the seed
 */
export function syntheticShop(seed: number = DEFAULT_SHOP_SEED): Shop {
	const random = seededRandom(seed);
	const customers = NEW_CUSTOMERS.reduce((sum, count) => sum + count, 0);
	const ids = shuffled(
		Array.from({ length: customers }, (_, index) => FIRST_CUSTOMER + index),
		random,
	);
	const invoices: Invoice[] = [];
	let next = 0;
	for (const [month, count] of NEW_CUSTOMERS.entries()) {
		const start = monthStart(month);
		const end = Math.min(monthStart(month + 1), END_MINUTE);
		for (const customerId of ids.slice(next, next + count))
			invoices.push(...drawCustomer(customerId, start + random() * (end - start), random));
		next += count;
	}
	return { origin: { source: "synthetic", seed }, invoices };
}
