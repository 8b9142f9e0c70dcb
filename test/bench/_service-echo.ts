/**
 * What the service is compared with: the same framework, route and schemas, no store, no model, nothing counted.
 * `model: "deferred"` answers from a `setImmediate` instead of the handler.
 */
import {
	PREDICT_BODY,
	PREDICT_REPLY,
	type PredictBody,
	type ServiceConfig,
	type ServiceMessage,
} from "batching-lab/service";
import Fastify from "fastify";

const config: ServiceConfig = JSON.parse(process.argv[2] ?? "");
const say = (message: ServiceMessage) => void process.send?.(message);
const none = new Float64Array(0);

const app = Fastify({
	keepAliveTimeout: 3_600_000,
	ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
});
let answered = 0;
app.post<{ Body: PredictBody }>(
	"/predict",
	{ schema: { body: PREDICT_BODY, response: { 200: PREDICT_REPLY } } },
	(request, reply) => {
		const { body } = request;
		const customerId = "customerId" in body ? body.customerId : 0;
		const answer = () => {
			answered++;
			reply.send({ customerId, month: "2011-11", score: 0.20000000298023224, batchSize: 1, batchId: 1 });
		};
		if (config.model === "deferred") setImmediate(answer);
		else answer();
	},
);
await app.listen({ port: 0, host: "127.0.0.1" });

let cpu = process.cpuUsage();
process.on("disconnect", () => process.exit(1));
process.on("message", (command: { readonly type: string }) => {
	if (command.type === "stop") process.exit(0);
	if (command.type === "count") {
		answered = 0;
		cpu = process.cpuUsage();
		return;
	}
	const { user, system } = process.cpuUsage(cpu);
	say({
		type: "counted",
		answered,
		cpuUs: user + system,
		rssBytes: process.memoryUsage.rss(),
		batches: {
			batchId: new Uint32Array(0),
			size: new Uint16Array(0),
			reason: new Uint8Array(0),
			firstSubmitNs: new BigInt64Array(0),
			waitNs: none,
			modelNs: none,
		},
	});
});
const address = app.server.address();
if (address === null || typeof address === "string") throw new Error("the echo listens on no port");
say({ type: "ready", port: address.port, pid: process.pid });
