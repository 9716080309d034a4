import Router, { type HTTPVersion, type Instance } from "find-my-way";
import { API_ROUTES, type ApiMethod } from "#contracts/http/routes.ts";
import { inputBounds } from "#http/bounds.ts";
import type { Backend } from "#launcher/one-port/backends.ts";

/**
 * Milliseconds that the next process gets to answer: half of what is left, while that is worth
 * trying, so that a frozen process leaves time for the others.
 * @param request the time that the request has left, and its limit as a whole.
 * @returns undefined for all the time that is left.
 */
export function shareOfTime(request: {
  readonly leftMs: number;
  readonly limitMs: number;
  /** Whether another process may be tried after this one. */
  readonly mayGoOn: boolean;
}): number | undefined {
  const half = Math.floor(request.leftMs / 2);
  return request.mayGoOn && half >= request.limitMs / LEAST_SHARE ? half : undefined;
}

/** Least share of the whole limit. With less time, healthy processes would count as failed. */
const LEAST_SHARE = 8;

/** Errors of a connection that was never made, so the request reached no process. */
const NEVER_MADE = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Whether a failed connection shows that the upstream never saw the request. */
export function neverReached(errorCode: string | undefined): boolean {
  return errorCode !== undefined && NEVER_MADE.has(errorCode);
}

/** What the contract says of repeated requests, by path and method. */
const routes: Instance<HTTPVersion.V1> = Router({ maxParamLength: inputBounds.parameterLength });
// The router wants one name for a parameter in one place; the contract may use several.
for (const [pattern, methods] of Object.entries(API_ROUTES))
  for (const [method, whenRepeated] of Object.entries(methods))
    routes.on(method as ApiMethod, pattern.replace(/:\w+/g, ":_"), () => undefined, whenRepeated);

/**
 * Whether a request may be sent again although it may already have been executed: reads, and
 * commands whose `Idempotency-Key` makes a repetition harmless. The backend decides, not the method
 * alone, because the old emergency commands are GETs.
 * @param request.url path and query as in the request line.
 */
export function mayBeSentTwice(request: {
  readonly method: string;
  readonly url: string;
  readonly backend: Backend;
  readonly idempotencyKey: string | string[] | undefined;
}): boolean {
  const { method, url, backend, idempotencyKey } = request;
  if ((method === "GET" || method === "HEAD") && backend !== "commandApi") return true;
  const whenRepeated = routes.find(method as ApiMethod, url)?.store;
  // Some reads are posts, so that their token is in no address.
  if (whenRepeated === "reads") return true;
  const hasKey = typeof idempotencyKey === "string" && idempotencyKey !== "";
  return hasKey && whenRepeated === "recognised";
}
