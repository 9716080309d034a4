import type { IncomingHttpHeaders } from "node:http";
import { DomainError } from "#contracts/domain-error.ts";

/** The header that makes a caller's retries safe. */
export const IDEMPOTENCY_KEY = "idempotency-key";

/**
 * Returns the caller's `Idempotency-Key`, 16 to 128 printable characters. @throws {DomainError}
 * `invalid_idempotency_key`
 */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers[IDEMPOTENCY_KEY];
  if (key === undefined) return undefined;
  if (typeof key === "string" && /^[\x21-\x7e]{16,128}$/.test(key)) return key;
  const message = "Idempotency-Key must have 16 to 128 printable characters without spaces";
  throw new DomainError("invalid_idempotency_key", message, { [IDEMPOTENCY_KEY]: message });
}
