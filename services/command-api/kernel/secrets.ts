import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 random bits, as base64url. */
export const newSecret = () => randomBytes(32).toString("base64url");

/** SHA-256, which is enough for an unguessable secret. */
export const hashOfSecret = (secret: string) => createHash("sha256").update(secret).digest("hex");

const NOBODYS = "0".repeat(64);

/**
 * Whether the hash is that of the secret; takes just as long without a hash.
 * @param hash from {@link hashOfSecret}.
 */
export function isSecretOf(hash: string | undefined, secret: string): boolean {
  const given = Buffer.from(hashOfSecret(secret));
  return timingSafeEqual(given, Buffer.from(hash ?? NOBODYS)) && hash !== undefined;
}
