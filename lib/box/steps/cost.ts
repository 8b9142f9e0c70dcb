import { CodedError } from "../../base/index.js";
import type { Box, Step } from "../box.js";

/**
 * On-demand prices in USD an hour, with a public address. They were written down from memory and not looked up: an
 * assumption to be replaced by --price or BATCHING_BOX_PRICE, which is what the output says.
 */
const ASSUMED = {
	written: "2025",
	region: "us-east-1",
	list: "https://aws.amazon.com/ec2/pricing/on-demand/",
	address: 0.005,
	machines: new Map([
		["c7g.medium", 0.0363],
		["c7g.large", 0.0725],
		["c8g.medium", 0.03988],
		["m7g.medium", 0.0408],
	]),
} as const;
const VARIABLE = "BATCHING_BOX_PRICE";
const OVERRIDE = `--price or ${VARIABLE} names yours`;

interface Price {
	readonly usdPerHour: number;
	/** Where the number comes from, for the person who reads it. */
	readonly source: string;
	readonly assumed: boolean;
}

function priceOf({ options, state }: Box, instanceType: string): Price {
	if (options.pricePerHour !== undefined) {
		return { usdPerHour: options.pricePerHour, source: "the price of --price", assumed: false };
	}
	const told = process.env[VARIABLE]?.trim() ?? "";
	if (told !== "") {
		const usdPerHour = Number(told);
		if (Number.isFinite(usdPerHour) && usdPerHour >= 0) {
			return { usdPerHour, source: `the price of ${VARIABLE}`, assumed: false };
		}
		throw new CodedError("BAD_PRICE", `${VARIABLE} takes USD an hour, got "${told}"`);
	}
	const { written, region, list, address, machines } = ASSUMED;
	const machine = machines.get(instanceType);
	if (machine === undefined) {
		throw new CodedError("PRICE_UNKNOWN", `no price is assumed for ${instanceType}`, {
			hint: `${OVERRIDE}; see ${list}`,
		});
	}
	const elsewhere =
		state.region === undefined || state.region === region ? "" : `, while this box is in ${state.region}`;
	return {
		usdPerHour: machine + address,
		source: `assumed, not looked up: ${machine} for ${instanceType} and ${address} for its address, written from memory in ${written} for ${region}${elsewhere}; ${OVERRIDE}, ${list} has it`,
		assumed: true,
	};
}

export const cost: Step = {
	name: "cost",
	does: "says what it has cost so far: hours × price (--price; assumed otherwise)",
	needs: [],
	looks: true,
	plan: () => ["hours since the launch × price an hour, from the state alone; nobody is asked for a price"],
	async run(box) {
		const { launch, provider } = box.state;
		if (provider === "ssh") return { message: "nothing is rented with provider ssh", data: { usd: 0 } };
		if (launch?.instanceId === undefined) return { message: "nothing has been rented: 0.00 USD", data: { usd: 0 } };
		const { usdPerHour, source, assumed } = priceOf(box, launch.instanceType);
		const end = launch.endedAt === undefined ? Date.now() : Date.parse(launch.endedAt);
		// billed for no longer than the machine can have lived; a clock that is behind the cloud's makes no negative hours
		const hours = Math.min(Math.max(0, end - Date.parse(launch.at)) / 3_600_000, launch.maxHours);
		const usd = hours * usdPerHour;
		const mostUsd = launch.maxHours * usdPerHour;
		const most = launch.endedAt === undefined ? `, at most ${mostUsd.toFixed(2)} USD` : "";
		return {
			message: `${hours.toFixed(2)} h × ${usdPerHour.toFixed(4)} USD = ${usd.toFixed(2)} USD before tax and disk${most} (price: ${source})`,
			data: { hours, pricePerHour: usdPerHour, priceSource: source, priceAssumed: assumed, usd, mostUsd },
		};
	},
};
