import { WrongMasterKey } from "./key-store.ts";
import { KEY_BYTES, opensCheck } from "./wrapping.ts";

/**
 * A version of the master key as the store records it: not the key, only a box that recognises it.
 */
export interface MasterVersion {
  readonly version: number;
  readonly check: Buffer;
  /** False once a rotation has begun to replace it. */
  readonly current: boolean;
}

/**
 * The master keys to try, the wanted one first. A function is called again whenever a key turns up
 * that none of them opens, so that a running process follows a rotation.
 */
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

/** Which master key belongs to which version of the store. */
export class MasterRing {
  readonly current: number;
  readonly #keys: ReadonlyMap<number, Buffer>;
  readonly #versions: readonly MasterVersion[];

  /** @throws {WrongMasterKey} none of the keys is the store's current one. */
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
          ? "the master key given was replaced by a rotation: give the new one (MASTER_KEY)"
          : "the master key given is not the one that the key store was made with (MASTER_KEY)",
      );
    this.current = current.version;
    this.#keys = matched;
    this.#versions = versions;
  }

  /** The master key of a version; undefined when this process does not have it. */
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
