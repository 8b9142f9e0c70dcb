/**
 * `npm run bench -- client [lateness] [closed] [twentyMs] [freeze] [--check]`: is the client on time, is its clock right, and what does it cost? About 50 s.
 * With two cores or more the measured one is the last; the client shares it with the server or has the one before.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
	type ClientConfigure,
	type JudgedOpenRun,
	judgeOpenRun,
	poissonArrivals,
	startClient,
	summariseClosedRun,
} from "batching-lab/client";
import { percentile, sortSamples } from "batching-lab/stats";

const { values, positionals } = parseArgs({
	options: { check: { type: "boolean", default: false } },
	allowPositionals: true,
});
const hasTaskset = spawnSync("taskset", ["--version"]).status === 0;
const last = hasTaskset && cpus().length > 1 ? cpus().length - 1 : undefined;
const other = last === undefined ? undefined : last - 1;
const SERVER = fileURLToPath(new URL("./_client-server.js", import.meta.url));
const missed: string[] = [];
const print = (text: string) => process.stdout.write(`${text}\n`);

/** Prints a figure beside what it must be, and remembers a miss. */
function expect(what: string, value: number | null, from: number, to: number, unit: string): void {
	const good = value !== null && value >= from && value <= to;
	const bound = from === 0 ? `at most ${to}` : `${from} to ${to}`;
	print(`${good ? "ok  " : "MISS"} ${what}: ${value?.toFixed(3) ?? "too few samples"} ${unit} (${bound})`);
	if (!good) missed.push(what);
}

interface Server {
	readonly url: string;
	readonly child: ChildProcess;
}

async function withServer<T>(
	args: readonly string[],
	pin: number | undefined,
	use: (server: Server) => Promise<T>,
): Promise<T> {
	const command = pin === undefined ? [] : ["taskset", "-c", String(pin)];
	const [file = process.execPath, ...rest] = [...command, process.execPath, SERVER, ...args];
	const child = spawn(file, rest, { stdio: ["ignore", "inherit", "inherit", "ipc"], serialization: "advanced" });
	const [said]: unknown[] = await once(child, "message");
	if (typeof said !== "object" || said === null || !("port" in said)) throw new Error(`no port from ${args}`);
	try {
		return await use({ url: `http://127.0.0.1:${said.port}/predict`, child });
	} finally {
		child.disconnect();
		await once(child, "exit");
	}
}

async function run(server: Server, pin: number | undefined, configure: Partial<ClientConfigure>) {
	const client = await startClient(pin === undefined ? {} : { pin });
	try {
		await client.configure({
			type: "configure",
			mode: "open",
			url: server.url,
			connections: 512,
			bodies: ['{"customerId":13085,"month":"2011-11"}'],
			offset: 0,
			warmupMs: 3000,
			warmupBurstMs: 2500,
			warmupRate: 1000,
			countMs: 0,
			pacing: "timer",
			drainMs: 5000,
			...configure,
		});
		server.child.send("start");
		client.go();
		return await client.result;
	} finally {
		await client.stop();
	}
}

interface OpenLoad {
	readonly rate: number;
	readonly seconds: number;
	readonly pacing?: "timer" | "precise";
	readonly topology: "shared" | "separate";
}

async function open(server: Server, pin: number | undefined, load: OpenLoad): Promise<JudgedOpenRun> {
	const { rate, seconds, pacing = "timer", topology } = load;
	const arrivalsNs = poissonArrivals({ ratePerSecond: rate, seconds, seed: rate });
	const { columns, cpuUs, errors } = await run(server, pin, { arrivalsNs, pacing, warmupRate: rate });
	const judged = judgeOpenRun({ columns, arrivalMs: seconds * 1000, connections: 512, cpuUs, errors }, { topology });
	const { latencyMs, serviceTimeMs, latenessMs, together, cpuUsPerAnswer, verdict, reasons } = judged;
	const ms = (value: number | null) => value?.toFixed(3) ?? "–";
	const percents = [together.sent, together.scheduled].map((share) => `${(share * 100).toFixed(1)} %`);
	print(
		`     ${rate}/s ${pacing}: latency p50 ${ms(latencyMs.p50)}, p99 ${ms(latencyMs.p99)}; service p50 ${ms(serviceTimeMs.p50)}; late p50 ${ms(latenessMs.p50)}, p99 ${ms(latenessMs.p99)} ms; within 50 µs ${percents.join(" sent, ")} drawn; CPU ${cpuUsPerAnswer?.toFixed(1)} µs; ${[verdict, ...reasons].join("; ")}`,
	);
	return judged;
}

/**
 * What any Node client pays here for 1,000 answers a second: one bare socket, no HTTP, a timer of 1 ms that sends
 * whatever is due. Too coarse to measure with, since it bunches its sends; µs of CPU an answer.
 */
async function bareSocketUs(port: number, seconds: number): Promise<number> {
	const socket = connect(port, "127.0.0.1").setNoDelay(true);
	await once(socket, "connect");
	socket.on("data", () => {});
	const body = '{"customerId":13085,"month":"2011-11"}';
	const request = `POST /predict HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
	let cpu = process.cpuUsage();
	let sent = 0;
	for (const warm of [true, false]) {
		const startMs = performance.now();
		sent = 0;
		if (!warm) cpu = process.cpuUsage();
		for (let nowMs = 0; nowMs < seconds * 1000; nowMs = performance.now() - startMs) {
			for (; sent < nowMs; sent++) socket.write(request);
			await new Promise((resolve) => setTimeout(resolve, 1));
		}
	}
	const { user, system } = process.cpuUsage(cpu);
	socket.destroy();
	return (user + system) / sent;
}

async function lateness(): Promise<void> {
	print("\nlateness at 1,000/s beside an idle echo");
	await withServer(["echo"], last, async (server) => {
		const bareUs = await bareSocketUs(Number(new URL(server.url).port), 3);
		print(
			`     for comparison, a bare socket and a timer of 1 ms, without HTTP: ${bareUs.toFixed(1)} µs of CPU an answer`,
		);
		const timer = await open(server, last, { rate: 1000, seconds: 5, topology: "shared" });
		expect("timer, one core: lateness p50", timer.latenessMs.p50, 0, 0.7, "ms");
		expect("timer, one core: CPU an answer", timer.cpuUsPerAnswer, 0, 60, "µs");
		if (other === undefined) {
			print("     precise: not available, it needs a core of its own");
			return;
		}
		const precise = await open(server, other, { rate: 1000, seconds: 4, pacing: "precise", topology: "separate" });
		expect("precise, a core of its own: lateness p50", precise.latenessMs.p50, 0, 0.05, "ms");
	});
}

async function twentyMs(): Promise<void> {
	print("\na server that takes 20 ms by its own clock");
	await withServer(["fixed", "20"], last, async (server) => {
		for (const [rate, seconds] of [
			[50, 4],
			[200, 2],
			[1000, 2],
			[2000, 2],
		] as const) {
			const { latencyMs } = await open(server, other, { rate, seconds, topology: "separate" });
			expect(`p50 at ${rate}/s`, latencyMs.p50, 20, 22, "ms");
		}
		const report = once(server.child, "message");
		server.child.send("report");
		const [said]: unknown[] = await report;
		const own =
			typeof said === "object" && said !== null && "tookNs" in said && Array.isArray(said.tookNs) ? said.tookNs : [];
		const samples = sortSamples(own.map((ns: number) => ns / 1e6));
		expect("the server's own p50", percentile(samples, 50), 20, 20.5, "ms");
	});
}

async function freeze(): Promise<void> {
	print("\na server that stands still for 1 s in 10");
	await withServer(["freeze", "4000", "1000"], last, async (server) => {
		const { latencyMs, serviceTimeMs } = await open(server, other, { rate: 400, seconds: 10, topology: "separate" });
		expect("p98", latencyMs.p98, 750, 850, "ms");
		print(`     service time from the send: p98 ${serviceTimeMs.p98?.toFixed(0)} ms`);
	});
}

async function closed(): Promise<void> {
	const loop = { mode: "closed", connections: 16, countMs: 3000 } as const;
	print("\nclosed loop, 16 connections");
	await withServer(["echo"], last, async (server) => {
		const { columns, cpuUs } = await run(server, last, loop);
		const { answersPerSecond, cpuUsPerAnswer } = summariseClosedRun(columns, { countMs: 3000, cpuUs });
		print(
			`     echo on the same core: ${answersPerSecond.toFixed(0)} answers/s, client CPU ${cpuUsPerAnswer?.toFixed(1)} µs an answer`,
		);
	});
	await withServer(["busy", "400"], last, async (server) => {
		const { columns, cpuUs } = await run(server, other, loop);
		const ours = summariseClosedRun(columns, { countMs: 3000, cpuUs }).answersPerSecond;
		const pinned = other === undefined ? [] : ["taskset", "-c", String(other)];
		const [file = "wrk", ...rest] = [...pinned, "wrk", "-t1", "-c16", "-d3s", server.url];
		const { stdout, status } = spawnSync(file, rest, { encoding: "utf8" });
		const theirs = Number(/^Requests\/sec:\s+([\d.]+)$/m.exec(stdout ?? "")?.[1]);
		if (status !== 0 || Number.isNaN(theirs)) {
			print("     wrk: not available, no cross-check");
			return;
		}
		print(`     server that computes for 0.4 ms: ${ours.toFixed(0)} answers/s, wrk ${theirs.toFixed(0)}`);
		expect("answers a second against wrk's", ours / theirs, 0.95, 1.05, "×");
	});
}

print(
	`cores ${cpus().length}, load ${loadavg()
		.map((load) => load.toFixed(1))
		.join(" ")} (figures hold for a machine that does nothing else)`,
);
const PARTS = { lateness, closed, twentyMs, freeze };
for (const [name, part] of Object.entries(PARTS)) {
	if (positionals.length === 0 || positionals.includes(name)) await part();
}
if (missed.length > 0) print(`\n${missed.length} missed: ${missed.join("; ")}`);
if (values.check && missed.length > 0) process.exitCode = 1;
