import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { DomainError, type ErrorCode } from "#contracts/domain-error.ts";
import { errorStatuses } from "#contracts/error-statuses.ts";
import { isDatabaseUnavailable } from "#runtime/db/pool.ts";
import { describeError } from "#runtime/log.ts";
import { fail } from "./envelope.ts";
import { messages } from "./errors.ts";
import { MethodNotAllowed } from "./methods.ts";
import { routeOf } from "./metrics.ts";
import { STRICT_TRANSPORT } from "./strict-transport.ts";

/** Framework errors that the caller caused, by code. */
const FRAMEWORK: Readonly<Record<string, keyof typeof messages>> = {
  FST_ERR_BAD_URL: "invalid_url",
  FST_ERR_MAX_PARAM_LENGTH: "invalid_url",
  FST_ERR_CTP_BODY_TOO_LARGE: "too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "invalid_request",
  FST_ERR_CTP_INVALID_JSON_BODY: "invalid_json",
  FST_ERR_CTP_EMPTY_JSON_BODY: "invalid_json",
  FST_ERR_HANDLER_TIMEOUT: "unavailable",
  FST_ERR_ASYNC_CONSTRAINT: "invalid_url",
};

/** Temporary errors: a store is down, or a newer version appended events that this one doesn't know. */
const UNAVAILABLE = new Set([
  "StoreUnavailable",
  "KeyStoreUnavailable",
  "SearchUnavailable",
  "FilesUnavailable",
  "LedgerUnavailable",
  "UnknownEvent",
  "OtherLayout",
]);

/** Those of them that don't resolve on their own. */
const NEEDS_UPGRADE = new Set(["UnknownEvent", "OtherLayout"]);

function refusalOf(error: FastifyError): DomainError {
  if (error instanceof DomainError) return error;
  let code: keyof typeof messages = FRAMEWORK[error.code] ?? "internal_error";
  if (UNAVAILABLE.has(error.name) || isDatabaseUnavailable(error)) code = "unavailable";
  else if (code === "internal_error" && error.code?.startsWith("FST_ERR_CTP_"))
    code = "invalid_request";
  return new DomainError(code, messages[code]);
}

/** Seconds after which the caller may retry, if the error specifies it. */
function retryAfterOf(error: FastifyError): number | undefined {
  const { retryAfter } = error as { retryAfter?: unknown };
  return error instanceof DomainError && typeof retryAfter === "number" ? retryAfter : undefined;
}

/** Overload and unavailable stores are expected: their stack traces add nothing and fill the log. */
function logFault(error: FastifyError, status: number, request: FastifyRequest): void {
  const place = { route: routeOf(request), method: request.method };
  if (status !== 503) request.log.error({ err: error, ...place }, "a request failed");
  else if (NEEDS_UPGRADE.has(error.name))
    request.log.error(
      { err: error, ...place },
      "a request failed because a dependency is unavailable",
    );
  else {
    const { code } = { ...describeError(error.cause), ...describeError(error) };
    request.log.warn(
      { code, reason: error.name, ...place },
      "a request failed because a dependency is unavailable",
    );
  }
}

/** Answers every error in one format. Server errors are logged and never explained in the reply. */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refusalOf(error);
  const status = errorStatuses[refusal.code as ErrorCode] ?? 500;
  // Maintenance mode is not a fault.
  if (status >= 500 && refusal.code !== "maintenance") logFault(error, status, request);
  // No hook runs for a URL that the router rejects.
  reply.header("strict-transport-security", STRICT_TRANSPORT);
  if (error instanceof MethodNotAllowed) reply.header("allow", error.allow.join(", "));
  const retryAfter = retryAfterOf(error) ?? (status === 503 ? 5 : undefined);
  if (retryAfter !== undefined) reply.header("retry-after", retryAfter);
  if (status === 401) reply.header("www-authenticate", "Bearer");
  const body = fail(refusal.code, refusal.message, refusal.fields);
  return reply.code(status).header("cache-control", "no-store").send(body);
}
