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
    /** All roles that may call the route, including `visitor`. */
    roles?: readonly CallerRole[];
    limit?: LimitClass;
    /** Whether the password must have been entered within the last fifteen minutes (`PROOF_SECONDS`). */
    proof?: boolean;
    /** Bounds on a request, if they differ from those of its class (`bounds.ts`). */
    bounds?: RouteBounds;
  }
  interface FastifyRequest {
    actor: Actor;
    origin: Origin;
  }
  interface FastifyInstance {
    /** Request counters. Handlers use them for classes that no route names. */
    limits: Limits;
    tokens: TokenIssuer;
    metrics: Metrics;
    routeTable: readonly RouteInfo[];
    checkReadiness(): Promise<Readiness>;
  }
}
