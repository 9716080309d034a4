import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

/** DER of an Ed25519 private key (RFC 8410, PKCS #8) up to its 32 bytes. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** @param seed the 32 bytes of an Ed25519 private key (RFC 8032). */
function privateKeyOf(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: "der", type: "pkcs8" });
}

/** The public key of a seed: DER, SubjectPublicKeyInfo. */
export function publicKeyOf(seed: Buffer): Buffer {
  return createPublicKey(privateKeyOf(seed)).export({ format: "der", type: "spki" });
}

/** What a signer of tokens needs; PEM, PKCS #8. */
export function signingKey(seed: Buffer): { readonly kid: string; readonly key: string } {
  const key = privateKeyOf(seed).export({ format: "pem", type: "pkcs8" }).toString();
  return { kid: keyId(publicKeyOf(seed)), key };
}

export function verifyingKey(spki: Buffer): string {
  const key = createPublicKey({ key: spki, format: "der", type: "spki" });
  return key.export({ format: "pem", type: "spki" }).toString();
}

/** The key's id in the header of tokens: its JWK thumbprint (RFC 7638, SHA-256). */
export function keyId(spki: Buffer): string {
  const { crv, kty, x } = createPublicKey({ key: spki, format: "der", type: "spki" }).export({
    format: "jwk",
  });
  return createHash("sha256").update(JSON.stringify({ crv, kty, x })).digest("base64url");
}
