import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { TlsPair } from "#runtime/config/process-settings.ts";
import type { ReadinessCheck } from "./health.ts";
import { createService, type ServiceInstance } from "./service.ts";

export interface WorkerServiceOptions {
  /** Name in logs, metrics and health. */
  readonly name: string;
  readonly version: string;
  readonly log: Logger;
  /** Checks for `/readyz`. */
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  /** Exact number of proxies in front; 0 by default. */
  readonly trustProxyHops?: number;
  /** Public URL, if configured; see `operatorCheck`. */
  readonly publicUrl?: string;
  /** With it, the service serves HTTPS. */
  readonly tls?: TlsPair | undefined;
  /** The worker's own metrics, for `/metrics`. */
  readonly registry?: Registry;
}

/** `/healthz`, `/readyz` and `/metrics` for a process without an API. */
export async function createWorkerService(options: WorkerServiceOptions): Promise<ServiceInstance> {
  const { registry, ...rest } = options;
  const app = await createService({
    ...rest,
    // No one signs in here, so every route is public.
    tokens: { verifier: { publicKey: async () => undefined } },
    accounts: { check: async () => null },
  });
  for (const { name } of registry?.getMetricsAsArray() ?? []) {
    const metric = registry?.getSingleMetric(name);
    if (metric) app.metrics.registry.registerMetric(metric);
  }
  return app;
}
