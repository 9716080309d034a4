import type { Logger } from "pino";
import { createService, type ServiceInstance } from "#kit/http/service.ts";
import type { Projector } from "./composition.ts";

/** `/healthz`, `/readyz` and `/metrics` of a projector that is a process of its own. */
export async function buildProjectorApp(options: {
  readonly projector: Pick<Projector, "checks" | "registry">;
  readonly tokenKey: Buffer;
  readonly version: string;
  readonly log: Logger;
}): Promise<ServiceInstance> {
  const { projector, tokenKey, version, log } = options;
  const app = await createService({
    name: "projector",
    version,
    log,
    tokenKey,
    // Nobody signs in here: every route is a visitor's.
    accounts: { check: async () => null },
    checks: projector.checks,
  });
  const { registry } = projector;
  for (const { name } of registry.getMetricsAsArray()) {
    const metric = registry.getSingleMetric(name);
    if (metric) app.metrics.registry.registerMetric(metric);
  }
  return app;
}
