import assert from "node:assert/strict";
import { test } from "node:test";
import { countOutcomes, OUTCOMES } from "batching-lab/client";
import fc from "fast-check";
import { answer, httpServer, measure, prediction } from "./servers.js";

/** What a server may do to a request. */
const DEEDS = ["answers", "answers late", "refuses", "closes", "resets", "never answers", "answers nonsense"] as const;
type Deed = (typeof DEEDS)[number];

test("whatever a server does, scheduled = answered + failed + timed out + unsent, each as the server did it", async () => {
	const deeds = fc.array(fc.constantFrom<Deed>("answers", ...DEEDS), { minLength: 1, maxLength: 40 });
	await fc.assert(
		fc.asyncProperty(
			deeds,
			fc.integer({ min: 1, max: 6 }),
			fc.integer({ min: 0, max: 3000 }),
			async (script, connections, gapUs) => {
				const seen = new Array<number>(script.length).fill(0);
				const server = await httpServer((response, body) => {
					const request = Number(body);
					seen[request] = (seen[request] ?? 0) + 1;
					const deed = script[request];
					if (deed === "answers") answer(response, prediction(request));
					else if (deed === "answers late") setTimeout(() => answer(response, prediction(request)), 15);
					else if (deed === "refuses") answer(response, "{}", 503);
					else if (deed === "closes") response.destroy();
					else if (deed === "resets") response.socket?.resetAndDestroy();
					else if (deed === "answers nonsense") answer(response, "<html>");
				});
				try {
					const stuck = script.includes("never answers");
					const arrivalsNs = Float64Array.from(script, (_, i) => i * gapUs * 1000);
					const bodies = script.map((_, i) => String(i));
					const { columns, errors } = await measure(server.url, {
						arrivalsNs,
						connections,
						bodies,
						drainMs: stuck ? 150 : 10_000,
					});
					const counts = countOutcomes(columns.outcome);
					assert.equal(columns.outcome.length, script.length);
					assert.equal(counts.answered + counts.failed + counts.timedOut + counts.unsent, script.length);
					for (const [request, deed] of script.entries()) {
						const outcome = OUTCOMES[columns.outcome[request] ?? -1];
						const times = seen[request] ?? 0;
						assert.ok(times <= 1, `request ${request} was sent ${times} times`);
						// where one request blocks a connection for ever, the bound may come before another one's end
						if (stuck && outcome === "timedOut") continue;
						if (outcome === "unsent") assert.ok(times === 0 && Number.isNaN(columns.sentNs[request]));
						else if (deed === "answers") assert.equal(outcome, "answered", deed);
						else if (deed === "never answers") assert.equal(outcome, "timedOut", deed);
						else if (deed !== "answers late") assert.equal(outcome, "failed", deed);
						if (outcome === "answered") assert.equal(new Float32Array(columns.scoreBits.buffer)[request], request);
						assert.equal(Number.isNaN(columns.receivedNs[request]), columns.status[request] === 0);
					}
					if (counts.failed + counts.timedOut > 0) assert.ok(Object.keys(errors).length > 0);
				} finally {
					await server.close();
				}
			},
		),
		{ numRuns: 25, endOnFailure: true },
	);
});
