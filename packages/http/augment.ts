import type { Actor, CallerRole } from "./actor.ts";
import type { TokenIssuer } from "./auth.ts";
import type { RouteBounds } from "./bounds.ts";
import type { Readiness } from "./health.ts";
import type { LimitClass, Limits } from "./limits.ts";
import type { Metrics } from "./metrics.ts";
import type { Origin } from "./origin.ts";
import type { RouteInfo } from "./route-policy.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** All roles that may call the route, `visitor` included. */
    roles?: readonly CallerRole[];
    /** The route's class in the table of limits. */
    limit?: LimitClass;
    /** The password must have been shown within the last fifteen minutes (`PROOF_SECONDS`). */
    proof?: boolean;
    /** What a request may cost, if it differs from the bounds of its class (`bounds.ts`). */
    bounds?: RouteBounds;
  }
  interface FastifyRequest {
    actor: Actor;
    origin: Origin;
  }
  interface FastifyInstance {
    /** Counters of requests. Handlers use it for classes that no route names. */
    limits: Limits;
    tokens: TokenIssuer;
    metrics: Metrics;
    /** Every route with its rules, as the running service has them. */
    routeTable: readonly RouteInfo[];
    /** The answer of `/readyz`. */
    checkReadiness(): Promise<Readiness>;
  }
}
