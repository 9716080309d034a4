import { createHmac } from "node:crypto";
import { canonicalBytes } from "./canonical.ts";

export type BlindIndexer = (field: string, normalisedValue: string) => string;

/**
 * HMAC-SHA-256 (base64url) of the RFC 8785 JSON of `[field, value]`. Equal values of a field can be
 * found without opening them, and without the key nobody can try values out.
 */
export function blindIndex(key: Buffer, field: string, normalisedValue: string): string {
  const data = canonicalBytes([field, normalisedValue]);
  return createHmac("sha256", key).update(data).digest("base64url");
}

/** A blind indexer over the store's service key `blind-index`. */
export function createBlindIndexer(key: Buffer): BlindIndexer {
  return (field, normalisedValue) => blindIndex(key, field, normalisedValue);
}
