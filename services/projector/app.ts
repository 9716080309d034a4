import type { Logger } from "pino";
import type { ServiceInstance } from "#http/service.ts";
import { createWorkerService } from "#http/worker-service.ts";
import type { Projector } from "./composition.ts";

/** `/healthz`, `/readyz` and `/metrics` of a projector in a separate process. */
export function buildProjectorApp(options: {
  readonly projector: Pick<Projector, "checks" | "registry">;
  readonly version: string;
  readonly log: Logger;
}): Promise<ServiceInstance> {
  const { projector, version, log } = options;
  const { checks, registry } = projector;
  return createWorkerService({ name: "projector", version, log, checks, registry });
}
