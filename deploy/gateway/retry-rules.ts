import type { Backend } from "#launcher/one-port/backends.ts";

/**
 * Milliseconds that the next process gets for an answer: half of what is left, as long as that is
 * worth trying, so that a frozen one leaves time for the others.
 * @param request what the request has left, and has as a whole.
 * @returns undefined for all that is left.
 */
export function shareOfTime(request: {
  readonly leftMs: number;
  readonly limitMs: number;
  /** Whether another process may be asked after this one. */
  readonly mayGoOn: boolean;
}): number | undefined {
  const half = Math.floor(request.leftMs / 2);
  return request.mayGoOn && half >= request.limitMs / LEAST_SHARE ? half : undefined;
}

/** Of the whole limit; with less time, healthy processes would count as failed. */
const LEAST_SHARE = 8;

/** Errors of a connection that was never made: the request reached nobody. */
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

/**
 * Paths of the commands that the command log recognises by their `Idempotency-Key`. Not among them:
 * signing in and out, refreshing a session, revealing sealed data and counting views, which would be
 * done a second time.
 */
const RECOGNISED = [
  /^\/prod\/api\/reports\/(submit|all|[^/]+\/resend-verification)$/,
  /^\/prod\/api\/verify-email\/[^/]+$/,
  /^\/prod\/api\/admin\/reports\/[^/]+(\/(approve|reject|status|verify))?$/,
];

/**
 * Whether a request may be sent once more although it may have been executed: reads, and commands
 * whose `Idempotency-Key` makes the second the same as the first. The backend counts, not the
 * method alone, because the old emergency commands are GETs.
 * @param request.url path and query as they are in the request line.
 */
export function mayBeSentTwice(request: {
  readonly method: string;
  readonly url: string;
  readonly backend: Backend;
  readonly idempotencyKey: string | string[] | undefined;
}): boolean {
  const { method, url, backend, idempotencyKey } = request;
  if ((method === "GET" || method === "HEAD") && backend !== "commandApi") return true;
  const [path = ""] = url.split("?", 1);
  const hasKey = typeof idempotencyKey === "string" && idempotencyKey !== "";
  return hasKey && RECOGNISED.some((pattern) => pattern.test(path));
}
