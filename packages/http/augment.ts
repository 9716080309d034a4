import type { Actor, CallerRole } from "./actor.ts";
import type { TokenIssuer } from "./auth.ts";
import type { RouteBounds } from "./bounds.ts";
import type { Readiness } from "./health.ts";
import type { LimitClass } from "./limit-classes.ts";
import type { Limits } from "./limits.ts";
import type { Metrics } from "./metrics.ts";
import type { Origin } from "./origin.ts";
import type { RouteInfo } from "./route-policy.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Who may call the route: every role that may, `visitor` included. */
    roles?: readonly CallerRole[];
    /** Class of the route in the table of limits. */
    limit?: LimitClass;
    /** What a request may cost, where it differs from what its class says (`bounds.ts`). */
    bounds?: RouteBounds;
  }
  interface FastifyRequest {
    actor: Actor;
    origin: Origin;
  }
  interface FastifyInstance {
    /** Counters of requests; handlers spend classes that no route names. */
    limits: Limits;
    tokens: TokenIssuer;
    metrics: Metrics;
    /** Every route with its rules, as the running service has them. */
    routeTable: readonly RouteInfo[];
    /** What `/readyz` answers. */
    checkReadiness(): Promise<Readiness>;
  }
}
