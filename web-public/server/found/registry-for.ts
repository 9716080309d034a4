import type { FastifyReply, FastifyRequest } from "fastify";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { type ApiClient, ApiError, createApiClient } from "../../src/api/client.ts";

/** Site options that the routes for crawlers need. */
export interface FoundOptions {
  readonly queryUrl: string;
  /** Public origin of the site, without a trailing slash. */
  readonly publicUrl: string;
  readonly productName: string;
  readonly timeoutMs: number;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Returns a client that reads on behalf of a request's visitor, whose rate limits apply. */
export function registryFor(request: FastifyRequest, options: FoundOptions): ApiClient {
  return createApiClient({
    baseUrl: options.queryUrl,
    position: { read: () => undefined, write: () => undefined },
    headers: { "x-forwarded-for": request.ip },
    timeoutMs: options.timeoutMs,
    ...omitUndefined({ fetch: options.fetch }),
  });
}

/**
 * Answers a failed read in plain text, with the registry's own status if it is a 4xx, else 503.
 * @param error a status, or what was thrown; anything but an `ApiError` is rethrown.
 */
export function sendPlain(reply: FastifyReply, error: unknown, text: string): FastifyReply {
  let status = error;
  if (error instanceof ApiError) {
    status = error.status >= 400 && error.status < 500 ? error.status : 503;
    if (error.retryAfter !== undefined) reply.header("retry-after", String(error.retryAfter));
  }
  if (typeof status !== "number") throw error;
  return reply
    .code(status)
    .header("cache-control", "no-store")
    .header("x-robots-tag", "noindex")
    .type("text/plain; charset=utf-8")
    .send(text);
}
