/**
 * The servers that the bench of the client measures against, each in a process of its own:
 *
 *     echo            answers at once
 *     fixed MS        answers MS after the request was read, by its own clock, which it reports
 *     freeze FROM MS  answers at once, but stands still for MS, FROM ms after it is told to start
 *     busy US         computes for US before each answer, so that it is the bottleneck of a closed loop
 */
import { createServer, type ServerResponse } from "node:http";

const [kind = "echo", ...rest] = process.argv.slice(2);
const [first = 0, second = 0] = rest.map(Number);
const now = () => Number(process.hrtime.bigint());
const REPLY = JSON.stringify({ customerId: 13085, month: "2011-11", score: 0.25, batchSize: 1, batchId: 0 });
const HEADERS = { "content-type": "application/json", "content-length": Buffer.byteLength(REPLY) };
const answer = (response: ServerResponse) => response.writeHead(200, HEADERS).end(REPLY);

const tookNs: number[] = [];
const waiting: { readonly response: ServerResponse; readonly from: number }[] = [];
let turning = false;

/** Answers what is due. A timer up to 1.5 ms before that, then the loop turns: the answer leaves within some µs. */
function turn(): void {
	for (let next = waiting[0]; next !== undefined && now() - next.from >= first * 1e6; next = waiting[0]) {
		waiting.shift();
		answer(next.response);
		tookNs.push(now() - next.from);
	}
	const [next] = waiting;
	turning = next !== undefined;
	if (next === undefined) return;
	const leftMs = first - (now() - next.from) / 1e6;
	if (leftMs > 3) setTimeout(turn, leftMs - 1.5);
	else setImmediate(turn);
}

function stand(stillMs: number): void {
	for (const until = now() + stillMs * 1e6; now() < until; );
}

const server = createServer({ keepAliveTimeout: 3_600_000 }, (request, response) => {
	request.resume();
	request.on("end", () => {
		if (kind === "fixed") {
			waiting.push({ response, from: now() });
			if (!turning) turn();
			return;
		}
		if (kind === "busy") stand(first / 1000);
		answer(response);
	});
});
server.listen(0, "127.0.0.1", () => {
	const address = server.address();
	if (address !== null && typeof address !== "string") process.send?.({ port: address.port });
});
process.on("message", (word) => {
	if (word === "start" && kind === "freeze") setTimeout(() => stand(second), first);
	if (word === "report") process.send?.({ tookNs });
});
process.on("disconnect", () => process.exit(0));
