import { createCipheriv, createDecipheriv } from "node:crypto";
import { freshNonce } from "../sealing/box.ts";
import { canonicalList } from "../sealing/canonical.ts";
import { KeyBroken } from "./key-store.ts";

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What a wrapped key is bound to: it opens only for this subject and key version. */
export interface WrapContext {
  readonly kind: "subject" | "service" | "check";
  readonly name: string;
  readonly version: number;
}

function additionalData(context: WrapContext): Buffer {
  return canonicalList(["key", context.kind, context.name, context.version]);
}

/** AES-256-GCM of `key` under the master key: nonce (12 bytes), ciphertext, tag (16). */
export function wrapKey(master: Buffer, key: Buffer, context: WrapContext): Buffer {
  const nonce = freshNonce();
  const cipher = createCipheriv("aes-256-gcm", master, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(additionalData(context));
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
}

/** @throws {KeyBroken} another master key, another context, or damaged bytes. */
export function unwrapKey(master: Buffer, wrapped: Buffer, context: WrapContext): Buffer {
  if (wrapped.length !== NONCE_BYTES + KEY_BYTES + TAG_BYTES)
    throw new KeyBroken(`the key of ${context.name} has a wrong length`);
  const decipher = createDecipheriv("aes-256-gcm", master, wrapped.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(additionalData(context));
  decipher.setAuthTag(wrapped.subarray(-TAG_BYTES));
  try {
    const opened = decipher.update(wrapped.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]);
  } catch {
    throw new KeyBroken(`the key of ${context.name} does not open`);
  }
}

/** A box that shows whether a master key is the right one, without touching any subject's key. */
export function makeCheck(master: Buffer, version: number): Buffer {
  return wrapKey(master, Buffer.alloc(KEY_BYTES), { kind: "check", name: "check", version });
}

export function opensCheck(master: Buffer, check: Buffer, version: number): boolean {
  try {
    unwrapKey(master, check, { kind: "check", name: "check", version });
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads a master key from configuration: 64 hex digits, or base64 / base64url of 32 bytes.
 * @throws {TypeError} whose message does not repeat the value.
 */
export function parseMasterKey(text: string): Buffer {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, "hex");
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) {
    const key = Buffer.from(trimmed, "base64");
    if (key.length === KEY_BYTES) return key;
  }
  throw new TypeError("a master key is 32 bytes, written as 64 hex digits or as base64");
}
