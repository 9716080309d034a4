import { createHmac } from "node:crypto";
import { canonicalBytes } from "./canonical.ts";

/** What makes two requests the same command. */
export interface CommandIdentity {
  /** Account id, or `visitor`. */
  readonly actor: string;
  readonly method: string;
  /** Pattern of the route, for instance `/prod/api/admin/reports/:id/approve`. */
  readonly route: string;
  /** Id of the aggregate; empty when the command creates it. */
  readonly target: string;
  /** The `Idempotency-Key` header. */
  readonly idempotencyKey: string;
}

/** Hex HMAC-SHA-256 under the service key `commands`; the same for every retry of a command. */
export function commandId(serverKey: Buffer, identity: CommandIdentity): string {
  const { actor, method, route, target, idempotencyKey } = identity;
  const data = canonicalBytes(["command", actor, method, route, target, idempotencyKey]);
  return createHmac("sha256", serverKey).update(data).digest("hex");
}

/** Names of fields that hold credentials: passwords, codes, tokens. */
export const SECRET_FIELD = /pass(word|phrase)|secret|token|^(?!reason_).*code$/i;

/**
 * Hex HMAC-SHA-256 of a body, which tells whether a retry sends the same. It is in the log forever,
 * and a holder of the keys can try values out at the speed of SHA-256, so a body must not contain a
 * secret.
 * @param subjectKeys of everybody whose data the body may hold, 32 bytes each. The HMAC's key is
 * all of them in this order, so once one is destroyed, nobody can try values out against the rest.
 * @throws {TypeError} a field has a secret's name: leave it out of the body that is compared.
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
    if (SECRET_FIELD.test(name)) throw new TypeError(`a body with ${name} must not be kept as MAC`);
    assertNoSecret(inner);
  }
}

/**
 * The id of the aggregate that a command creates: a UUID (RFC 9562, version 8, which distinguishes
 * it from random ones) that is the same for every retry.
 * @param command a command id in hex.
 */
export function aggregateIdOf(command: string): string {
  if (!/^[0-9a-f]{64}$/.test(command)) throw new TypeError("not a command id");
  const bytes = createHmac("sha256", Buffer.from(command, "hex")).update("aggregate").digest();
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString("hex", 0, 16);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
