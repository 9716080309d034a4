import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { ServiceName } from "#runtime/db/service-roles.ts";
import { KeyReplacementRefused } from "./key-store.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Milliseconds until a new key is used: by then every process has read it. */
export const LEAD_MS = 30_000;

/** Milliseconds between polls of the store for new keys. */
export const POLL_MS = 2_000;

/** The services' keys, with the milliseconds that a replaced one stays valid; `null` if it can't be replaced. */
export const SERVICE_KEYS = {
  /** Ed25519: signs access tokens, which are valid for 15 minutes. */
  tokens: 16 * MINUTE_MS,
  /** One-time links in emails, which are valid for two days. */
  links: 2 * DAY_MS + 10 * MINUTE_MS,
  /** Links in emails that unsubscribe, show a report's progress or accept an answer; valid for a year. */
  unsubscribe: 365 * DAY_MS,
  /** Hashes for counting. A new key restarts every count. */
  limits: 0,
  /** Positions in headers, which the site keeps for an hour, and places in exports. */
  positions: 70 * MINUTE_MS,
  /** Page tokens of the search. */
  pages: 60 * MINUTE_MS,
  /** IDs of commands: a retry is recognized for a day. */
  commands: DAY_MS,
  slugs: null,
  "blind-index": null,
} as const;

/** The services that use each key, and see no others. The public keys of `tokens` are for everyone. */
export const KEY_USERS = {
  tokens: ["command-api"],
  links: ["command-api", "mailer"],
  unsubscribe: ["command-api", "mailer"],
  limits: ["command-api", "query-api"],
  positions: ["command-api", "query-api"],
  pages: ["query-api"],
  commands: ["command-api"],
  slugs: ["command-api", "query-api", "projector"],
  "blind-index": ["command-api", "query-api", "mailer"],
} as const satisfies Record<ServiceKeyName, readonly ServiceName[]>;

export type ServiceKeyName = keyof typeof SERVICE_KEYS;
export type PermanentKey = "slugs" | "blind-index";
export type ReplaceableKey = Exclude<ServiceKeyName, PermanentKey>;

export const REPLACEABLE_KEYS = Object.entries(SERVICE_KEYS).flatMap(([name, formerMs]) =>
  formerMs === null ? [] : [name as ReplaceableKey],
);

/** @throws {KeyReplacementRefused} with the list of valid names. */
export function replaceableKey(name: string): ReplaceableKey {
  const key = REPLACEABLE_KEYS.find((each) => each === name);
  if (key) return key;
  if (Object.hasOwn(SERVICE_KEYS, name))
    throw new KeyReplacementRefused(
      `The key ${name} cannot be replaced: values made with it are in the log.`,
    );
  throw new KeyReplacementRefused(
    `There is no key ${JSON.stringify(name)}. Known: ${REPLACEABLE_KEYS.join(", ")}.`,
  );
}

/** DER of an Ed25519 private key (RFC 8410, PKCS #8) up to its 32 bytes. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** @param seed the 32 bytes of an Ed25519 private key (RFC 8032). */
function privateKeyOf(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: "der", type: "pkcs8" });
}

/** Returns the public key of a seed: DER, SubjectPublicKeyInfo. */
export function publicKeyOf(seed: Buffer): Buffer {
  return createPublicKey(privateKeyOf(seed)).export({ format: "der", type: "spki" });
}

/** Returns what a signer of tokens needs; the key is PEM, PKCS #8. */
export function signingKey(seed: Buffer): { readonly kid: string; readonly key: string } {
  const key = privateKeyOf(seed).export({ format: "pem", type: "pkcs8" }).toString();
  return { kid: keyId(publicKeyOf(seed)), key };
}

export function verifyingKey(spki: Buffer): string {
  const key = createPublicKey({ key: spki, format: "der", type: "spki" });
  return key.export({ format: "pem", type: "spki" }).toString();
}

/** Returns the key's ID in the header of tokens: its JWK thumbprint (RFC 7638, SHA-256). */
export function keyId(spki: Buffer): string {
  const { crv, kty, x } = createPublicKey({ key: spki, format: "der", type: "spki" }).export({
    format: "jwk",
  });
  return createHash("sha256").update(JSON.stringify({ crv, kty, x })).digest("base64url");
}
