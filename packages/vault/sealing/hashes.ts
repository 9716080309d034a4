import { createHmac, hkdfSync } from "node:crypto";
import canonicalize from "canonicalize";

export type BlindIndexer = (field: string, normalisedValue: string) => string;

/**
 * Returns HMAC-SHA-256 (base64url) of the RFC 8785 JSON of `[field, value]`, so that equal values are found
 * without opening them.
 */
export function blindIndex(key: Buffer, field: string, normalisedValue: string): string {
  const data = canonicalBytes([field, normalisedValue]);
  return createHmac("sha256", key).update(data).digest("base64url");
}

/** Returns a blind indexer for the store's service key `blind-index`. */
export function createBlindIndexer(key: Buffer): BlindIndexer {
  return (field, normalisedValue) => blindIndex(key, field, normalisedValue);
}

const PURPOSE = "failed sign-ins of an account";

/**
 * Returns the index by which an account's failed sign-ins are found among those of a month without decrypting
 * each. The key is derived from the month's key: once that is destroyed, no one can tell whose sign-ins they
 * were.
 * @param monthKey the key of `subjects.security`, 32 bytes.
 */
export function failedSignInIndex(monthKey: Buffer, accountId: string): string {
  const key = Buffer.from(hkdfSync("sha256", monthKey, "", PURPOSE, 32));
  return blindIndex(key, "account_id", accountId);
}

/** Returns the hex HMAC-SHA-256 of a page's slug under the key `slugs`, which finds a slug without a name. */
export function slugHash(key: Buffer, slug: string): string {
  return createHmac("sha256", key).update(slug).digest("hex");
}

/**
 * Returns RFC 8785 JSON as UTF-8: equal values have equal bytes.
 * @throws {TypeError} for values that are not JSON.
 */
export function canonicalBytes(value: unknown): Buffer {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("this value is not JSON");
  return Buffer.from(text, "utf8");
}

/** Does the same for strings and integers, for which the faster `JSON.stringify` is canonical. */
export function canonicalList(values: readonly (string | number)[]): Buffer {
  return Buffer.from(JSON.stringify(values), "utf8");
}

/** What makes two requests the same command. */
export interface CommandIdentity {
  /** Account id, or `visitor`. */
  readonly actor: string;
  readonly method: string;
  /** Pattern of the route, for example `/prod/api/admin/reports/:id/approve`. */
  readonly route: string;
  /** ID of the aggregate; empty if the command creates it. */
  readonly target: string;
  /** The `Idempotency-Key` header. */
  readonly idempotencyKey: string;
}

/** Returns the hex HMAC-SHA-256 under the service key `commands`; the same for every retry of a command. */
export function commandId(serverKey: Buffer, identity: CommandIdentity): string {
  const { actor, method, route, target, idempotencyKey } = identity;
  const data = canonicalBytes(["command", actor, method, route, target, idempotencyKey]);
  return createHmac("sha256", serverKey).update(data).digest("hex");
}

/** Names of fields that hold credentials: passwords, codes, tokens. */
export const SECRET_FIELD = /pass(word|phrase)|secret|token|^(?!reason_).*code$/i;

/**
 * Returns the hex HMAC-SHA-256 of a body, which shows whether a retry sends the same body. It is in the log
 * forever, and a holder of the keys can try out values at the speed of SHA-256, so a body must not contain a
 * secret.
 * @param subjectKeys keys of everyone whose data the body may hold, 32 bytes each. The HMAC's key is all of them
 * in this order, so once one is destroyed, no one can try out values against the rest.
 * @throws {TypeError} if a field has a secret's name: leave it out of the body that is compared.
 */
export function bodyMac(subjectKeys: readonly Buffer[], body: unknown): string {
  assertNoSecret(body);
  return createHmac("sha256", Buffer.concat(subjectKeys))
    .update(canonicalBytes(["body", body]))
    .digest("hex");
}

function assertNoSecret(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (SECRET_FIELD.test(name))
      throw new TypeError(`a body with ${name} must not be stored as a MAC`);
    assertNoSecret(inner);
  }
}

/**
 * Returns the ID that a command creates: a UUID (RFC 9562, version 8), the same for every retry.
 * @param command the command's ID in hex.
 */
export function aggregateIdOf(command: string): string {
  if (!/^[0-9a-f]{64}$/.test(command)) throw new TypeError("not a command id");
  const bytes = createHmac("sha256", Buffer.from(command, "hex")).update("aggregate").digest();
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString("hex", 0, 16);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
