import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A sealed value does not open: it was changed, moved, or sealed with another key. */
export class SealBroken extends Error {
  override readonly name = "SealBroken";
}

/** Number of nonces that are drawn together, because each draw is a system call. */
const NONCES = 256;
let drawn: Buffer = Buffer.alloc(0);

/** Returns twelve random bytes that are used only once. */
function freshNonce(): Buffer {
  if (drawn.length === 0) drawn = randomBytes(NONCE_BYTES * NONCES);
  const nonce = drawn.subarray(0, NONCE_BYTES);
  drawn = drawn.subarray(NONCE_BYTES);
  return nonce;
}

/** Encrypts with AES-256-GCM. Returns nonce (12 random bytes), ciphertext and tag (16). */
export function encrypt(key: Buffer, plaintext: Buffer, additionalData: Buffer): Buffer {
  const nonce = freshNonce();
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(additionalData);
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** @throws {SealBroken} */
export function decrypt(key: Buffer, box: Buffer, additionalData: Buffer): Buffer {
  try {
    const nonce = box.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(additionalData);
    decipher.setAuthTag(box.subarray(NONCE_BYTES).subarray(-TAG_BYTES));
    return Buffer.concat([
      decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES)),
      decipher.final(),
    ]);
  } catch {
    throw new SealBroken("a sealed value was changed, moved or sealed under another key");
  }
}

/** Returns what {@link encrypt} does, in base64url. */
export function sealBytes(key: Buffer, plaintext: Buffer, additionalData: Buffer): string {
  return encrypt(key, plaintext, additionalData).toString("base64url");
}

/** @throws {SealBroken} */
export function openBytes(key: Buffer, box: string, additionalData: Buffer): Buffer {
  const bytes = Buffer.from(box, "base64url");
  // Decoding is lenient, but a box has only one valid spelling.
  if (bytes.toString("base64url") !== box) throw new SealBroken("a sealed value is not a box");
  return decrypt(key, bytes, additionalData);
}
