import { ConfigInvalid, type Environment, readSecretFiles } from "#runtime/config/load-config.ts";
import { listOf } from "#runtime/config/value-problems.ts";
import { decrypt, encrypt } from "../sealing/box.ts";
import { canonicalList } from "../sealing/hashes.ts";
import { KeyBroken, WrongMasterKey } from "./key-store.ts";

/** A version of the master key as the store records it: not the key, only a box that recognizes it. */
export interface MasterVersion {
  readonly version: number;
  readonly check: Buffer;
  /** False once a rotation has begun to replace it. */
  readonly current: boolean;
}

/** The master keys to try, the preferred one first. A function is called again to follow a rotation. */
export type MasterKeySource =
  | readonly Buffer[]
  | (() => readonly Buffer[] | Promise<readonly Buffer[]>);

export async function readMasterKeys(source: MasterKeySource): Promise<readonly Buffer[]> {
  const keys = typeof source === "function" ? await source() : source;
  if (keys.length === 0) throw new TypeError("no master key was given");
  for (const key of keys)
    if (key.length !== KEY_BYTES) throw new TypeError("a master key is 32 bytes long");
  return keys;
}

/** Matches master keys with the versions in the store. */
export class MasterRing {
  readonly current: number;
  readonly #keys: ReadonlyMap<number, Buffer>;
  readonly #versions: readonly MasterVersion[];

  /** @throws {WrongMasterKey} if none of the keys is the store's current one. */
  constructor(versions: readonly MasterVersion[], keys: readonly Buffer[]) {
    const matched = new Map<number, Buffer>();
    for (const { version, check } of versions) {
      const key = keys.find((candidate) => opensCheck(candidate, check, version));
      if (key) matched.set(version, key);
    }
    const current = versions.find((version) => version.current);
    if (!current) throw new Error("the key store names no current master key");
    if (!matched.has(current.version))
      throw new WrongMasterKey(
        matched.size > 0
          ? "this master key was replaced by a rotation: set the new one (MASTER_KEY)"
          : "the master key is not the one the key store was created with (MASTER_KEY)",
      );
    this.current = current.version;
    this.#keys = matched;
    this.#versions = versions;
  }

  /** Returns the master key of a version; undefined if this process does not have it. */
  keyOf(version: number): Buffer | undefined {
    return this.#keys.get(version);
  }

  get currentKey(): Buffer {
    return this.#keys.get(this.current) as Buffer;
  }

  /** Versions that none of the keys opens. */
  get unmatched(): number[] {
    return this.#versions.map((entry) => entry.version).filter((v) => !this.#keys.has(v));
  }
}

export const KEY_BYTES = 32;

/** The context that a wrapped key is bound to: it opens only for this subject and key version. */
export interface WrapContext {
  readonly kind: "subject" | "service" | "check";
  readonly name: string;
  readonly version: number;
}

function additionalData(context: WrapContext): Buffer {
  return canonicalList(["key", context.kind, context.name, context.version]);
}

/** Wraps a key with the master key; see {@link encrypt}. */
export function wrapKey(master: Buffer, key: Buffer, context: WrapContext): Buffer {
  return encrypt(master, key, additionalData(context));
}

/** @throws {KeyBroken} for another master key, another context, or damaged bytes. */
export function unwrapKey(master: Buffer, wrapped: Buffer, context: WrapContext): Buffer {
  try {
    return decrypt(master, wrapped, additionalData(context));
  } catch {
    throw new KeyBroken(`the key of ${context.name} does not open`);
  }
}

/** Returns a box that shows whether a master key is the right one, without touching any subject's key. */
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
 * Parses a master key: 64 hex digits, or base64 / base64url of 32 bytes.
 * @throws {TypeError} for any other text, without repeating it.
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

/**
 * Returns an environment's master keys, the preferred one first; a file is read each time.
 * @throws {ConfigInvalid} if a key is missing or not valid.
 */
export function masterKeysOf(env: Environment): MasterKeySource {
  const read = () => {
    const { values, problems } = readSecretFiles(env, ["MASTER_KEY"]);
    if (problems.size > 0) throw new ConfigInvalid([...problems.values()]);
    try {
      const [first = "", ...others] = listOf(values.MASTER_KEY);
      return [first, ...others].map(parseMasterKey);
    } catch (error) {
      throw new ConfigInvalid([`MASTER_KEY is not valid: ${(error as Error).message}`]);
    }
  };
  const keys = read();
  return env.MASTER_KEY_FILE?.trim() ? read : keys;
}
