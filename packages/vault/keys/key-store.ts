/** Keys of personal data. Destroying one erases what it seals in every copy of the log; they are backed up apart. */

import { CannotStart } from "#runtime/lifecycle/explain-failure.ts";
import type { RunQuery } from "./postgres-key-store.ts";
import type { PermanentKey, ReplaceableKey } from "./service-keys.ts";

/** What the store knows about a subject's key. `key` is 32 bytes, `at` is RFC 3339 with milliseconds. */
export type KeyLookup =
  | { readonly state: "present"; readonly key: Buffer }
  | { readonly state: "destroyed"; readonly at: string }
  | { readonly state: "missing" };

/** A key that must exist. `owner` is the account under which a reporter's key is listed. */
export interface KeyRequest {
  readonly subject: string;
  readonly owner?: string;
}

/** Progress of a rotation: number of keys that were wrapped again so far. */
export type RotationProgress = (rewrapped: number) => void;

export interface TokenVerifier {
  /** PEM of the public key with that id (RFC 7638); undefined if it is not valid. @throws {KeyStoreUnavailable} */
  publicKey(kid: string): Promise<string | undefined>;
}

/** A part of the keys that an account owns, in the order of their subjects. */
export interface OwnedPage {
  /** The last one of the former page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * Port. No adapter keeps subject keys in memory, so a destroyed key stops working at once. Every
 * method throws {@link KeyStoreUnavailable} if the store does not answer in time, and {@link
 * WrongMasterKey} if a key is wrapped by a master key that this process does not have.
 */
export interface KeyStore {
  /** Creates the keys that do not exist, and leaves destroyed ones. @returns all of them, as `get` would. */
  ensure(subjects: readonly KeyRequest[]): Promise<ReadonlyMap<string, KeyLookup>>;

  /** Looks up all of them in one round trip. The map has an entry for each subject asked for. */
  get(subjects: readonly string[]): Promise<ReadonlyMap<string, KeyLookup>>;

  /**
   * Empties the keys and records when. A subject without a key gets a destroyed row as well, so
   * that no older backup and no late writer can bring its key back. Idempotent: the first time is
   * kept.
   * @param at RFC 3339 time of the deletion.
   * @returns how many of the keys existed.
   */
  destroy(subjects: readonly string[], at: string): Promise<number>;

  /** The same for all keys listed under an account. */
  destroyOwnedBy(owner: string, at: string): Promise<number>;

  /** Lists keys under an account. Those that another one has stay there, also destroyed ones. */
  own(owner: string, subjects: readonly string[]): Promise<void>;

  /** Lists keys of an account under no one. @param only these subjects, or all of the account. */
  disown(owner: string, only?: readonly string[]): Promise<void>;

  /** Subjects of all keys of an account, also destroyed ones; sorted. @param page only so many, after this one. */
  ownedBy(owner: string, page?: OwnedPage): Promise<readonly string[]>;

  /** A random key of the services, created at first use, the same everywhere and after a rotation. */
  serviceKey(name: PermanentKey): Promise<Buffer>;

  /** The same for a key that can be replaced. It follows the store until the store is closed. */
  liveKey(name: ReplaceableKey): Promise<LiveKey>;

  /** The public keys with which present tokens are verified. */
  tokenVerifier(): Promise<TokenVerifier>;

  /**
   * Adds a new key beside the present one; `SERVICE_KEYS` says how long that stays valid.
   * @param leadMs milliseconds until the new key is used; {@link LEAD_MS} when absent.
   * @returns when the new key is used, and when the former one ends.
   * @throws {KeyReplacementRefused} another replacement happened meanwhile.
   */
  replaceServiceKey(
    name: ReplaceableKey,
    leadMs?: number,
  ): Promise<{ readonly usedFrom: Date; readonly formerEnds: Date }>;

  /** Wraps every key again under `newMaster` while the system runs; may be resumed. @returns how many. */
  rotate(newMaster: Buffer, onProgress?: RotationProgress): Promise<number>;

  /** Removes keys requested before `olderThan` that seal nothing. @param inUse which have events. @returns how many. */
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

/** The master key of this process does not open the store, or only a part of it. */
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

/** One version of a key, as it was read from the store. */
export interface KeyVersion {
  readonly version: number;
  readonly key: Buffer;
  /** Milliseconds until it is used; zero or less once it is. */
  readonly usedInMs: number;
  /** Milliseconds until it expires; null while no other has replaced it. */
  readonly endsInMs: number | null;
}

interface Timed {
  readonly key: Buffer;
  readonly usedFrom: number;
  readonly endsAt: number;
}

/** A key that can be replaced while the process runs. Read its values each time. */
export interface LiveKey {
  /** The key for making new things. */
  current(): Buffer;
  /** Every key under which something may still be valid, oldest first, with one that will be used soon. */
  all(): readonly Buffer[];
}

/** A live key made of the versions that were last read. */
export class VersionedKey implements LiveKey {
  readonly #name: string;
  #versions: readonly Timed[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  /** @param versions in their order. */
  set(versions: readonly KeyVersion[], now = Date.now()): void {
    this.#versions = versions.map(({ key, usedInMs, endsInMs }) => ({
      key,
      usedFrom: now + usedInMs,
      endsAt: endsInMs === null ? Number.POSITIVE_INFINITY : now + endsInMs,
    }));
  }

  current(): Buffer {
    const now = Date.now();
    const version = this.#versions.findLast(({ usedFrom }) => usedFrom <= now) ?? this.#versions[0];
    if (!version) throw new Error(`the service key ${this.#name} was not read`);
    return version.key;
  }

  all(): readonly Buffer[] {
    const now = Date.now();
    return this.#versions.filter(({ endsAt }) => endsAt > now).map(({ key }) => key);
  }
}

/** A live key that is never replaced. */
export function fixedKey(key: Buffer): LiveKey {
  return { current: () => key, all: () => [key] };
}

/** A version that no master key has: while its row is there, a restore fills the stores. */
const RESTORING = 0;

/** Marks the stores as half filled, before the first write of a restore. */
export const BEGIN_RESTORE = `
  insert into keys.master_key (version, check_box, superseded_at) values (${RESTORING}, '', now())`;

export const END_RESTORE = `delete from keys.master_key where version = ${RESTORING}`;

export const IS_RESTORING = `select 1 from keys.master_key where version = ${RESTORING}`;

/** @throws {CannotStart} a restore is under way, or was interrupted. */
export async function refuseUnfinishedRestore(run: RunQuery): Promise<void> {
  if ((await run(IS_RESTORING, [])).length > 0)
    throw new CannotStart(
      "A restore into these stores is under way, or was interrupted: empty them and restore again.",
    );
}

/** @param unmatched versions of the master key without a key. @throws {WrongMasterKey} keys are still under one. */
export async function refuseUnfinishedRotation(
  run: RunQuery,
  unmatched: readonly number[],
): Promise<void> {
  if (unmatched.length === 0) return;
  const needed = await run(
    `select 1 from keys.subject_key where key_version = any($1)
     union all select 1 from keys.service_key where key_version = any($1) limit 1`,
    [unmatched],
  );
  if (needed.length > 0)
    throw new WrongMasterKey(
      "a rotation of the master key is unfinished: give the former key too (MASTER_KEY_PREVIOUS)",
    );
}
