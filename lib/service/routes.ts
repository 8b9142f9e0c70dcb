import type { Registry } from "prom-client";
import type { App } from "./app.js";
import { type Desk, Exchange } from "./exchange.js";
import { nowNs, startOf } from "./request.js";
import type { RowReader } from "./row.js";
import { ERROR_REPLY, PREDICT_BODY, PREDICT_REPLY, type PredictBody } from "./schema.js";
import type { Scorer } from "./scorer.js";

/** What `GET /healthz` answers: 200 when the service takes work, 503 otherwise. */
export interface Health {
	/** Warmed up, healthy and not draining: send work here. */
	readonly ready: boolean;
	/** Going away: what was accepted is still answered. */
	readonly draining: boolean;
	/** False while a model call that outlived its limit has not come back. */
	readonly healthy: boolean;
	/** Rows that wait for a batch. */
	readonly queue_depth: number;
}

const HEALTH_REPLY = {
	type: "object",
	required: ["ready", "draining", "healthy", "queue_depth"],
	properties: {
		ready: { type: "boolean" },
		draining: { type: "boolean" },
		healthy: { type: "boolean" },
		queue_depth: { type: "integer" },
	},
} as const;

/** The route that all of this is for. Nothing here waits: the handler reads the rows and hands them to the scorer. */
export function addPredict(app: App, desk: Desk, reader: RowReader, scorer: Scorer): void {
	app.post<{ Body: PredictBody }>(
		"/predict",
		{ schema: { body: PREDICT_BODY, response: { 200: PREDICT_REPLY, "4xx": ERROR_REPLY, "5xx": ERROR_REPLY } } },
		(request, reply) => {
			const exchange = new Exchange(desk, request, reply);
			const { body } = request;
			try {
				if ("customers" in body) {
					// All rows are read before one is scored, so an unknown customer costs no model call.
					const rows = body.customers.map((customer) => reader.read(customer));
					exchange.rowReady();
					scorer.many(rows, exchange);
				} else {
					const row = reader.read(body);
					exchange.rowReady();
					scorer.one(row, exchange);
				}
			} catch (error) {
				exchange.fail(error);
			}
		},
	);
}

export function addHealth(app: App, { instruments }: Desk, health: () => Health): void {
	app.get("/healthz", { schema: { response: { "2xx": HEALTH_REPLY, "5xx": HEALTH_REPLY } } }, (request, reply) => {
		const state = health();
		const status = state.ready ? 200 : 503;
		reply.code(status).send(state);
		instruments.healthz.add(status, nowNs() - startOf(request.raw));
	});
}

export function addMetrics(app: App, { instruments }: Desk, registry: Registry): void {
	app.get("/metrics", async (request, reply) => {
		const text = await registry.metrics();
		reply.type(registry.contentType).send(text);
		instruments.metrics.add(200, nowNs() - startOf(request.raw));
		return reply;
	});
}
