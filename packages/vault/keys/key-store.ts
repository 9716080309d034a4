/**
 * The keys under which personal data is sealed. Destroying a key erases everything sealed under it,
 * in every copy of the log; so a key lives here, backed up apart from the log, and nowhere else.
 */

import type { LiveKey } from "./live-key.ts";
import type { PermanentKey, ReplaceableKey } from "./service-keys.ts";

/** What the store knows of one subject's key; `key` is 32 bytes, `at` RFC 3339 with milliseconds. */
export type KeyLookup =
  | { readonly state: "present"; readonly key: Buffer }
  | { readonly state: "destroyed"; readonly at: string }
  | { readonly state: "missing" };

/** A key that shall exist. `owner` is the account under which a reporter's key is listed. */
export interface KeyRequest {
  readonly subject: string;
  readonly owner?: string;
}

/** Progress of a rotation: keys wrapped again so far. */
export type RotationProgress = (rewrapped: number) => void;

export interface TokenVerifier {
  /**
   * PEM of the public key of that id (RFC 7638); undefined when no token under it counts. An
   * unknown one is looked for in the store, at most once a second.
   * @throws {KeyStoreUnavailable}
   */
  publicKey(kid: string): Promise<string | undefined>;
}

/**
 * Port. No adapter keeps subject keys in memory: a destroyed key stops working at once.
 * Every method throws {@link KeyStoreUnavailable} when the store does not answer in time, and
 * {@link WrongMasterKey} when a key is wrapped by a master key that this process does not have.
 */
export interface KeyStore {
  /**
   * Makes the keys that are not there; leaves others, destroyed ones too, as they are.
   * @returns all of them as they are then, as `get` would.
   */
  ensure(subjects: readonly KeyRequest[]): Promise<ReadonlyMap<string, KeyLookup>>;

  /** Looks all of them up in one round trip; the map has an entry for each subject asked for. */
  get(subjects: readonly string[]): Promise<ReadonlyMap<string, KeyLookup>>;

  /**
   * Empties the keys and notes when. A subject without a key gets a destroyed row as well, so that
   * no older backup and no late writer can bring its key back. Idempotent: the first time stands.
   * @param at RFC 3339 time of the deletion.
   * @returns how many of the keys were live.
   */
  destroy(subjects: readonly string[], at: string): Promise<number>;

  /** The same for all keys listed under an account. */
  destroyOwnedBy(owner: string, at: string): Promise<number>;

  /** Subjects of all keys listed under an account, destroyed ones too; sorted. */
  ownedBy(owner: string): Promise<readonly string[]>;

  /**
   * A random key of the service itself, made at first use, the same in every process, unchanged by
   * a rotation of the master key.
   */
  serviceKey(name: PermanentKey): Promise<Buffer>;

  /** The same of a key that can be replaced: it follows the store until that is closed. */
  liveKey(name: ReplaceableKey): Promise<LiveKey>;

  /** The public keys that tokens of this moment are verified with. */
  tokenVerifier(): Promise<TokenVerifier>;

  /**
   * Puts a new key beside the present one; see `SERVICE_KEYS` for how long that still counts.
   * @param leadMs milliseconds until the new key is used; {@link LEAD_MS} when absent.
   * @returns when the new key is used, and when the former one ends.
   * @throws {KeyReplacementRefused} another replacement came in between.
   */
  replaceServiceKey(
    name: ReplaceableKey,
    leadMs?: number,
  ): Promise<{ readonly usedFrom: Date; readonly formerEnds: Date }>;

  /**
   * Wraps every key again under `newMaster`, while the system runs, and resumes where an earlier
   * run was interrupted. Running processes must be able to get at both master keys (`masterKeys`).
   * @returns how many keys were wrapped again.
   */
  rotate(newMaster: Buffer, onProgress?: RotationProgress): Promise<number>;

  /**
   * Removes live keys that were last asked for (`ensure`) before `olderThan` and seal nothing:
   * what a command left behind that never got to its append.
   * @param inUse answers which of these subjects have events.
   * @returns how many were removed.
   */
  sweepUnused(
    olderThan: Date,
    inUse: (subjects: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<number>;

  close(): Promise<void>;
}

/** The store did not answer in time or is down; the outcome is unknown. */
export class KeyStoreUnavailable extends Error {
  override readonly name = "KeyStoreUnavailable";
}

/** The master key of this process does not open the store, or not all of it. */
export class WrongMasterKey extends Error {
  override readonly name = "WrongMasterKey";
}

/** A service key cannot be replaced, or not now. */
export class KeyReplacementRefused extends Error {
  override readonly name = "KeyReplacementRefused";
}

/** A stored key does not open under the right master key: its row was damaged or moved. */
export class KeyBroken extends Error {
  override readonly name = "KeyBroken";
}
