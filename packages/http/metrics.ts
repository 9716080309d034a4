import type { FastifyReply, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Histogram, Registry } from "prom-client";

export interface Metrics {
  /** Where a service registers its own metrics (`registers: [registry]`). */
  readonly registry: Registry;
  /** Records a finished request under its route's pattern. */
  observe(request: FastifyRequest, reply: FastifyReply): void;
  /** Records a request that another app handled. */
  record(labels: RequestLabels, seconds: number): void;
}

export interface RequestLabels {
  readonly method: string;
  /** The route's pattern, or another name that the sender can't choose. */
  readonly route: string;
  readonly status: number;
}

/** @param processMetrics memory, CPU, event loop; services that share a process need them only once. */
export function createMetrics(service: string, processMetrics: boolean): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  if (processMetrics) collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from the first byte of a request to the last byte of its response",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const record: Metrics["record"] = ({ method, route, status }, seconds) =>
    durations.observe({ method, route, status }, seconds);
  return {
    registry,
    record,
    observe(request, reply) {
      const { method } = request;
      const labels = { method, route: routeOf(request), status: reply.statusCode };
      record(labels, reply.elapsedTime / 1000);
    },
  };
}

/** The route's pattern. All requests that match no route share one name. */
export function routeOf(request: FastifyRequest): string {
  return request.is404 ? "(none)" : (request.routeOptions.url ?? "(none)");
}
