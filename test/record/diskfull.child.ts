/** Writes runs until there is no room left, then prints what it was told and how many runs it had finished. */
import { randomFillSync } from "node:crypto";
import { createRecord } from "batching-lab/record";
import { COLUMNS, newRun, result, START } from "./fixture.js";

const writer = createRecord(process.argv[2] ?? "");
const start = writer.addStart(START);
const rows = 5000;
let finished = 0;
try {
	for (let round = 1; round < 500; round++) {
		const { id } = writer.beginRun(newRun(start, { round }));
		const requests = {
			scheduledNs: Float64Array.from({ length: rows }, (_, i) => i * 1000),
			sentNs: Float64Array.from({ length: rows }, (_, i) => i * 1000 + 5),
			receivedNs: Float64Array.from({ length: rows }, (_, i) => i * 1000 + 900),
			status: new Uint16Array(rows).fill(200),
			outcome: new Uint8Array(rows),
			scoreBits: randomFillSync(new Uint32Array(rows)),
			batchId: new Uint32Array(rows),
			batchSize: new Uint16Array(rows),
			bodyIndex: new Uint32Array(rows),
		};
		writer.finishRun(id, result(), { ...COLUMNS, requests });
		finished = round;
	}
} catch (error) {
	const coded = error instanceof Error && "code" in error && "exitCode" in error ? error : undefined;
	process.stdout.write(JSON.stringify({ code: coded?.code ?? String(error), exitCode: coded?.exitCode, finished }));
}
