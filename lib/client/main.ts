/** The process entry, started by `startClient` only. */
import { hasCode } from "../base/index.js";
import { poissonArrivals } from "./arrivals.js";
import { httpUrl, Traffic } from "./drive.js";
import type { ClientCommand, ClientConfigure, ClientMessage } from "./protocol.js";

const say = (message: ClientMessage) => void process.send?.(message);
let go = () => {};
const told = new Promise<void>((resolve) => {
	go = resolve;
});

async function run(configure: ClientConfigure): Promise<void> {
	const { mode, warmupMs, warmupRate, countMs, arrivalsNs } = configure;
	const traffic = new Traffic({ ...configure, url: httpUrl(configure.url) });
	if (warmupMs > 0) {
		if (mode === "closed" || warmupRate <= 0) await traffic.closed(warmupMs);
		else await traffic.open(poissonArrivals({ ratePerSecond: warmupRate, seconds: warmupMs / 1000, seed: 1 }));
	}
	say({ type: "warm" });
	await told;
	const cpu = process.cpuUsage();
	const { log, epochNs } =
		mode === "closed" ? await traffic.closed(countMs) : await traffic.open(arrivalsNs ?? new Float64Array(0));
	const { user, system } = process.cpuUsage(cpu);
	const columns = log.columns();
	traffic.close();
	say({
		type: "done",
		epochNs: BigInt(epochNs),
		columns,
		cpuUs: user + system,
		rssBytes: process.memoryUsage.rss(),
		errors: traffic.errors,
	});
}

process.on("message", (command: ClientCommand) => {
	if (command.type === "go") go();
	else if (command.type === "stop") process.exit(0);
	else {
		run(command).catch((error: unknown) => {
			say({
				type: "failed",
				code: hasCode(error) ? error.code : "CLIENT_FAILED",
				message: error instanceof Error ? error.message : String(error),
			});
		});
	}
});
process.on("disconnect", () => process.exit(0));
