import type { Registry } from "prom-client";
import { createService, type ServiceInstance, type ServiceOptions } from "./service.ts";

type Shared = "name" | "version" | "log" | "trustProxyHops" | "publicUrl" | "tls";

export interface WorkerServiceOptions extends Pick<ServiceOptions, Shared> {
  /** Checks for `/readyz`. */
  readonly checks: NonNullable<ServiceOptions["checks"]>;
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
