import type { Door } from "../one-port/doors.ts";

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
 * Whether a request may be sent once more though somebody may have acted on it: reads, and
 * commands whose `Idempotency-Key` makes the second the same as the first. The door counts, not the
 * method alone, because the old emergency commands are GETs.
 */
export function mayBeSentTwice(request: {
  readonly method: string;
  readonly door: Door;
  readonly idempotencyKey: string | string[] | undefined;
}): boolean {
  const { method, door, idempotencyKey } = request;
  const isRead = (method === "GET" || method === "HEAD") && door !== "commandApi";
  return isRead || (typeof idempotencyKey === "string" && idempotencyKey !== "");
}
