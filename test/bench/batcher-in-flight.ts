/**
 * One model call in flight against all batches of a turn launched together (`maxInFlight`), for W = 0.
 *
 * A Fastify service and an undici client share a core, as in the laboratory. The model behaves as onnxruntime-node's:
 * a promise that a `setImmediate` resolves after holding the loop for 9 + 2 n µs (`gbt`) or 82 + 16 n µs (`ft`).
 * All services stay up and take turns of under a second, so that a slow minute meets all of them; the figures are
 * medians. `none` is the handler that awaits the model itself. Prints, judges nothing.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { MicroBatcher } from "batching-lab/batcher";
import Fastify from "fastify";
import { Client } from "undici";

const MODELS = { gbt: { fixedUs: 9, perRowUs: 2 }, ft: { fixedUs: 82, perRowUs: 16 } };
const SERVICES = ["none", "b1 one", "b1 together", "b8 one", "b8 together", "b32 one", "b32 together"] as const;
const ROUNDS = 9;
const ROUND_MS = 700;
const CONNECTIONS = 16;

type Score = (rows: readonly number[]) => Promise<readonly number[]>;

function holdLoop(us: number): void {
	const untilMs = performance.now() + us / 1000;
	while (performance.now() < untilMs);
}

function scorer(model: keyof typeof MODELS): Score {
	const { fixedUs, perRowUs } = MODELS[model];
	return (rows) =>
		new Promise((resolve) => {
			setImmediate(() => {
				holdLoop(fixedUs + perRowUs * rows.length);
				resolve(rows);
			});
		});
}

/** The service: `GET /` answers one score; says its CPU time whenever it gets a message. */
async function serve(model: keyof typeof MODELS, service: string): Promise<void> {
	const score = scorer(model);
	const [name, launch] = service.split(" ");
	const maxBatchSize = Number(name?.slice(1));
	const batcher =
		name === "none"
			? undefined
			: new MicroBatcher(score, { maxBatchSize, maxInFlight: launch === "together" ? CONNECTIONS : 1 });
	const app = Fastify();
	app.get("/", async () => ({ score: batcher === undefined ? (await score([1]))[0] : await batcher.submit(1) }));
	await app.listen({ port: 0, host: "127.0.0.1" });
	const address = app.server.address();
	process.on("message", () => process.send?.(cpuUs()));
	process.send?.(typeof address === "object" ? address?.port : undefined);
}

function cpuUs(): number {
	const { user, system } = process.cpuUsage();
	return user + system;
}

/** A closed loop on warm connections; resolves with the answers it got. */
async function load(clients: readonly Client[], ms: number): Promise<number> {
	const endMs = performance.now() + ms;
	let answers = 0;
	const loop = async (client: Client): Promise<void> => {
		while (performance.now() < endMs) {
			const { body } = await client.request({ path: "/", method: "GET" });
			await body.text();
			answers++;
		}
	};
	await Promise.all(clients.map(loop));
	return answers;
}

interface Subject {
	readonly name: string;
	readonly child: ChildProcess;
	readonly clients: readonly Client[];
	readonly perSecond: number[];
	readonly serviceUs: number[];
}

async function answerOf(child: ChildProcess): Promise<number> {
	const [value]: unknown[] = await once(child, "message");
	if (typeof value !== "number") throw new Error(`the service said ${String(value)}`);
	return value;
}

async function start(model: string, name: string): Promise<Subject> {
	const child = fork(fileURLToPath(import.meta.url), ["serve", model, name]);
	const port = await answerOf(child);
	const clients = Array.from({ length: CONNECTIONS }, () => new Client(`http://127.0.0.1:${port}`));
	return { name, child, clients, perSecond: [], serviceUs: [] };
}

async function cpuOf({ child }: Subject): Promise<number> {
	child.send("cpu");
	return answerOf(child);
}

const median = (values: readonly number[]): number =>
	[...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function compare(model: string): Promise<void> {
	const subjects: Subject[] = [];
	for (const name of SERVICES) subjects.push(await start(model, name));
	for (const { clients } of subjects) await load(clients, 1000);
	for (let round = 0; round < ROUNDS; round++) {
		for (let turn = 0; turn < subjects.length; turn++) {
			const subject = subjects[(turn + round) % subjects.length];
			if (subject === undefined) continue;
			const before = await cpuOf(subject);
			const startMs = performance.now();
			const answers = await load(subject.clients, ROUND_MS);
			const seconds = (performance.now() - startMs) / 1000;
			subject.perSecond.push(answers / seconds);
			subject.serviceUs.push(((await cpuOf(subject)) - before) / answers);
		}
	}
	console.log(`\n${model}: answers a second, and µs of the service's CPU an answer`);
	for (const { name, perSecond, serviceUs, clients, child } of subjects) {
		console.log(
			`${name.padEnd(14)} ${median(perSecond).toFixed(0).padStart(6)}/s  ${median(serviceUs).toFixed(1).padStart(6)} µs`,
		);
		await Promise.all(clients.map((client) => client.close()));
		child.kill();
	}
}

const [role, model, service] = process.argv.slice(2);
if (role === "serve" && (model === "gbt" || model === "ft")) await serve(model, service ?? "none");
else for (const each of Object.keys(MODELS)) await compare(each);
