import { Registry } from "prom-client";
import { type BatcherStats, FLUSH_REASONS } from "../batcher/index.js";
import { addCounter, addGauge, addHistogram, single } from "./exposition.js";
import { BATCH_SIZE_BOUNDS, DURATION_BOUNDS, MODEL_TIME_BOUNDS } from "./histogram.js";
import type { Instruments } from "./instruments.js";

export interface MetricSources {
	readonly instruments: Instruments;
	/** Undefined without a batcher: its metrics are left out. */
	readonly batcherStats: (() => BatcherStats) | undefined;
	/** 1 when the service takes work. */
	readonly ready: () => boolean;
	readonly healthy: () => boolean;
	readonly openConnections: () => number;
}

/** The registry behind `GET /metrics`; a user may add metrics of their own to it. */
export function createRegistry(sources: MetricSources): Registry {
	const registry = new Registry();
	addRequestMetrics(registry, sources);
	addInferenceMetrics(registry, sources);
	if (sources.batcherStats !== undefined) addQueueMetrics(registry, sources.instruments, sources.batcherStats);
	return registry;
}

function addRequestMetrics(registry: Registry, { instruments, ready, healthy, openConnections }: MetricSources): void {
	addCounter(registry, {
		name: "http_requests_total",
		help: "Requests answered, by route and status; 499: the client hung up before its answer",
		labelNames: ["method", "route", "status"],
		read: () =>
			instruments.routes.flatMap((counts) =>
				[...counts.statuses()].map(([status, value]) => ({
					labels: { method: counts.method, route: counts.route, status },
					value,
				})),
			),
	});
	addHistogram(
		registry,
		{
			name: "http_request_duration_seconds",
			help: "From the arrival of a request's headers to its reply, handed to the socket",
			labelNames: ["method", "route"],
			read: () =>
				instruments.routes.map(({ method, route, durationSeconds }) => ({
					labels: { method, route },
					value: durationSeconds,
				})),
		},
		DURATION_BOUNDS,
	);
	addGauge(registry, {
		name: "service_ready",
		help: "1 while the service takes work: warmed up and not draining",
		read: () => single(Number(ready())),
	});
	addGauge(registry, {
		name: "service_healthy",
		help: "0 while a model call that outlived its limit has not come back",
		read: () => single(Number(healthy())),
	});
	addGauge(registry, { name: "http_open_connections", help: "Open sockets", read: () => single(openConnections()) });
	addCounter(registry, {
		name: "process_cpu_seconds_total",
		help: "CPU time of this process, user and system",
		read: () => {
			const { user, system } = process.cpuUsage();
			return single((user + system) / 1e6);
		},
	});
	addGauge(registry, {
		name: "process_resident_memory_bytes",
		help: "Memory of this process that is in RAM",
		read: () => single(process.memoryUsage.rss()),
	});
}

function addInferenceMetrics(registry: Registry, { instruments }: MetricSources): void {
	addHistogram(
		registry,
		{
			name: "inference_batch_size",
			help: "Rows in one model call; stuck at 1 under load means that batching does nothing",
			read: () => single(instruments.batchSize),
		},
		BATCH_SIZE_BOUNDS,
	);
	addHistogram(
		registry,
		{ name: "inference_model_seconds", help: "Time of one model call", read: () => single(instruments.modelSeconds) },
		MODEL_TIME_BOUNDS,
	);
	addCounter(registry, {
		name: "inference_errors_total",
		help: "Requests that failed by fault of the model or the service, not of their own",
		read: () => single(instruments.inferenceErrors),
	});
}

function addQueueMetrics(registry: Registry, instruments: Instruments, stats: () => BatcherStats): void {
	addGauge(registry, {
		name: "inference_queue_depth",
		help: "Rows that wait for a batch; its growth is the first sign of overload",
		read: () => single(stats().waiting),
	});
	addCounter(registry, {
		name: "inference_flushes_total",
		help: "Batches by the reason they left",
		labelNames: ["reason"],
		read: () => FLUSH_REASONS.map((reason) => ({ labels: { reason }, value: stats().reasons[reason] })),
	});
	addHistogram(
		registry,
		{
			name: "inference_wait_seconds",
			help: "How long the first row of a batch really waited",
			read: () => single(instruments.waitSeconds),
		},
		DURATION_BOUNDS,
	);
	addCounter(registry, {
		name: "inference_wait_asked_seconds_total",
		help: "Sum of the waits asked for, one a batch; compare with inference_wait_seconds_sum",
		read: () => single(instruments.askedWaitSeconds),
	});
	addCounter(registry, {
		name: "inference_rows_rejected_total",
		help: "Rows that were turned away at once",
		labelNames: ["reason"],
		read: () => {
			const { queueFull, closed, stuck } = stats().rejected;
			return [
				{ labels: { reason: "queue_full" }, value: queueFull },
				{ labels: { reason: "draining" }, value: closed },
				{ labels: { reason: "model_stuck" }, value: stuck },
			];
		},
	});
	addCounter(registry, {
		name: "inference_rows_dropped_total",
		help: "Rows that were accepted and then given up before they got a score",
		labelNames: ["reason"],
		read: () => {
			const { aborted, overdue, discarded } = stats();
			return [
				{ labels: { reason: "hung_up" }, value: aborted },
				{ labels: { reason: "deadline" }, value: overdue },
				{ labels: { reason: "other" }, value: discarded },
			];
		},
	});
}
