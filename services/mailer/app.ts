import type { Logger } from "pino";
import type { ServiceInstance } from "#http/service.ts";
import { createWorkerService } from "#http/worker-service.ts";
import type { Mailer } from "./composition.ts";

/** `/healthz`, `/readyz` and `/metrics` of a mailer in a separate process. */
export function buildMailerApp(options: {
  readonly mailer: Pick<Mailer, "checks" | "metrics">;
  readonly version: string;
  readonly log: Logger;
}): Promise<ServiceInstance> {
  const { mailer, version, log } = options;
  return createWorkerService({
    name: "mailer",
    version,
    log,
    checks: mailer.checks,
    registry: mailer.metrics,
  });
}
