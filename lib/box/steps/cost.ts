import { CodedError } from "../../base/index.js";
import type { Step } from "../box.js";
import { DEFAULT_HOURS } from "./launch.js";

/** On-demand prices in USD an hour, us-east-1, as listed in 2025. Other regions and later years differ: --price names one's own. */
const PRICES: Readonly<Record<string, number>> = {
	"c7g.medium": 0.0363,
	"c7g.large": 0.0725,
	"c8g.medium": 0.03988,
	"m7g.medium": 0.0408,
};
/** A public address costs by the hour too. */
const ADDRESS_PRICE = 0.005;

export const cost: Step = {
	name: "cost",
	does: "says what it has cost so far: hours × price",
	needs: [],
	looks: true,
	plan: () => ["hours since the launch × price an hour, from the state alone"],
	async run(box) {
		const { launch, provider } = box.state;
		if (provider === "ssh") return { message: "nothing is rented with provider ssh", data: { usd: 0 } };
		if (launch?.instanceId === undefined) return { message: "nothing has been rented: 0.00 USD", data: { usd: 0 } };
		const listed = PRICES[launch.instanceType];
		const price = box.options.pricePerHour ?? (listed === undefined ? undefined : listed + ADDRESS_PRICE);
		if (price === undefined) {
			throw new CodedError("PRICE_UNKNOWN", `no price is known for ${launch.instanceType}`, {
				hint: "give --price in USD an hour",
			});
		}
		const end = launch.endedAt === undefined ? Date.now() : Date.parse(launch.endedAt);
		// billed for no longer than the machine can have lived
		const hours = Math.min((end - Date.parse(launch.at)) / 3_600_000, launch.maxHours || DEFAULT_HOURS);
		const usd = hours * price;
		const most = launch.maxHours * price;
		const source =
			box.options.pricePerHour === undefined
				? "list price us-east-1, 2025, with its address; --price names another"
				: "the price given";
		return {
			message: `${hours.toFixed(2)} h × ${price.toFixed(4)} USD = ${usd.toFixed(2)} USD before tax and disk${launch.endedAt === undefined ? `, at most ${most.toFixed(2)} USD` : ""} (${source})`,
			data: { hours, pricePerHour: price, usd, mostUsd: most },
		};
	},
};
