import type { RouteOptions } from "fastify";
import { Type } from "typebox";
import { ErrorReply } from "#contracts/http/envelope.ts";
import { type CallerRole, ROLES } from "./actor.ts";
import { boundsOf, type RouteBounds } from "./bounds.ts";
import { type LimitClass, limitClasses } from "./limits.ts";

export interface RouteInfo {
  readonly method: string;
  /** The route's pattern, for example `/prod/api/reports/:id`. */
  readonly url: string;
  readonly roles: readonly CallerRole[];
  readonly limit: LimitClass;
  /** Whether the password must have been entered recently. */
  readonly proof?: true;
  readonly bounds: RouteBounds;
}

const NO_QUERY = Type.Object({}, { additionalProperties: false });

/** The CORS preflight route that @fastify/cors adds. */
function isPreflight(route: RouteOptions): boolean {
  return route.method === "OPTIONS" && route.url === "*";
}

/**
 * Enforces the rules for a route when it is added: it must name its roles and its limit, declare its
 * path parameters, and reply only with what a schema declares. Errors have one format on every
 * route, and the route's bounds limit its body.
 * @returns the route's entries in the route table.
 * @throws {TypeError} naming the route and what it lacks; the service then doesn't start.
 */
export function applyRoutePolicy(route: RouteOptions): RouteInfo[] {
  if (isPreflight(route)) return [];
  const methods = [route.method].flat();
  const refuse = (what: string): never => {
    throw new TypeError(`the route ${methods.join("|")} ${route.url} ${what}`);
  };
  const { roles, limit, proof } = route.config ?? {};
  if (!roles?.length || !roles.every((role) => ROLES.includes(role)))
    return refuse("does not declare its roles (config.roles)");
  if (limit === undefined || !Object.hasOwn(limitClasses, limit))
    return refuse("does not declare a rate-limit class (config.limit)");
  const schema = route.schema ?? {};
  const response = (schema.response ?? {}) as Record<string, unknown>;
  if (!Object.keys(response).some((status) => /^[23]/.test(status)))
    return refuse("does not declare its replies (schema.response)");
  if (/\/:/.test(route.url) && schema.params === undefined)
    return refuse("does not declare its path parameters (schema.params)");
  route.schema = {
    ...schema,
    querystring: schema.querystring ?? NO_QUERY,
    response: { ...response, default: ErrorReply },
  };
  const bounds = boundsOf(route.config ?? {});
  route.bodyLimit = bounds.bodyBytes;
  if (proof && roles.includes("visitor"))
    return refuse("asks visitors for a password (config.proof)");
  const info = { url: route.url, roles, limit, bounds, ...(proof ? { proof } : {}) };
  return methods.map((method) => ({ method, ...info }));
}
