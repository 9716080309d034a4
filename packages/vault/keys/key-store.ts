/**
 * Keys of personal data. Destroying one erases what it seals in every copy of the log. They are backed up
 * separately.
 */

import { CannotStart } from "#runtime/lifecycle/explain-failure.ts";
import type { RunQuery } from "./postgres-key-store.ts";
import type { PermanentKey, ReplaceableKey } from "./service-keys.ts";

/** State of a subject's key. `key` is 32 bytes, `at` is RFC 3339 with milliseconds. */
export type KeyLookup =
  | { readonly state: "present"; readonly key: Buffer }
  | { readonly state: "destroyed"; readonly at: string }
  | { readonly state: "missing" };

/** A key that must exist. `owner` is the account under which a reporter's key is listed. */
export interface KeyRequest {
  readonly subject: string;
  readonly owner?: string;
}

/** Progress of a rotation: number of keys rewrapped so far. */
export type RotationProgress = (rewrapped: number) => void;

export interface TokenVerifier {
  /**
   * Returns the PEM of the public key with that ID (RFC 7638); undefined if it is not valid.
   * @throws {KeyStoreUnavailable}
   */
  publicKey(kid: string): Promise<string | undefined>;
}

/** A page of the keys that an account owns, sorted by subject. */
export interface OwnedPage {
  /** Last subject of the previous page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * Port. No adapter keeps subject keys in memory, so a destroyed key stops working immediately. Every method
 * throws {@link KeyStoreUnavailable} if the store does not respond in time, and {@link WrongMasterKey} if a key
 * is wrapped with a master key that this process does not have.
 */
export interface KeyStore {
  /**
   * Creates the keys that do not exist, and leaves destroyed ones destroyed.
   * @returns all of them, as `get` would.
   */
  ensure(subjects: readonly KeyRequest[]): Promise<ReadonlyMap<string, KeyLookup>>;

  /** Looks up all keys in one round trip. The map has an entry for each requested subject. */
  get(subjects: readonly string[]): Promise<ReadonlyMap<string, KeyLookup>>;

  /**
   * Empties the keys and records when. A subject without a key gets a destroyed row as well, so that neither an
   * older backup nor a late writer can bring its key back. Idempotent: the first time is kept.
   * @param at RFC 3339 time of the deletion.
   * @returns how many of the keys existed.
   */
  destroy(subjects: readonly string[], at: string): Promise<number>;

  /** Does the same for all keys listed under an account. */
  destroyOwnedBy(owner: string, at: string): Promise<number>;

  /** Lists keys under an account. Keys listed under another account stay there, even destroyed ones. */
  own(owner: string, subjects: readonly string[]): Promise<void>;

  /**
   * Unlists keys of an account.
   * @param only these subjects, or all of the account if absent.
   */
  disown(owner: string, only?: readonly string[]): Promise<void>;

  /**
   * Returns the subjects of all keys of an account, including destroyed ones, sorted.
   * @param page how many at most, and after which one.
   */
  ownedBy(owner: string, page?: OwnedPage): Promise<readonly string[]>;

  /** Returns a random key of the services, created on first use; the same everywhere and after a rotation. */
  serviceKey(name: PermanentKey): Promise<Buffer>;

  /** Does the same for a key that can be replaced. It follows the store until the store is closed. */
  liveKey(name: ReplaceableKey): Promise<LiveKey>;

  /** Returns the public keys that verify current tokens. */
  tokenVerifier(): Promise<TokenVerifier>;

  /**
   * Adds a new key next to the current one; `SERVICE_KEYS` defines how long that stays valid.
   * @param leadMs milliseconds until the new key is used; {@link LEAD_MS} if absent.
   * @returns when the new key is used, and when the previous one ends.
   * @throws {KeyReplacementRefused} if the key was replaced concurrently.
   */
  replaceServiceKey(
    name: ReplaceableKey,
    leadMs?: number,
  ): Promise<{ readonly usedFrom: Date; readonly formerEnds: Date }>;

  /**
   * Rewraps every key with `newMaster` while the system runs; can be resumed.
   * @returns how many.
   */
  rotate(newMaster: Buffer, onProgress?: RotationProgress): Promise<number>;

  /**
   * Removes keys requested before `olderThan` that seal nothing.
   * @param inUse returns the subjects that have events.
   * @returns how many.
   */
  sweepUnused(
    olderThan: Date,
    inUse: (subjects: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<number>;

  close(): Promise<void>;
}

/** The store did not respond in time or is down; the outcome is unknown. */
export class KeyStoreUnavailable extends Error {
  override readonly name = "KeyStoreUnavailable";
}

/** This process's master key opens nothing in the store, or only a part of it. */
export class WrongMasterKey extends Error {
  override readonly name = "WrongMasterKey";
}

/** A service key cannot be replaced, or not now. */
export class KeyReplacementRefused extends Error {
  override readonly name = "KeyReplacementRefused";
}

/** A stored key does not open with the right master key: its row was damaged or moved. */
export class KeyBroken extends Error {
  override readonly name = "KeyBroken";
}

/** A version of a key, as read from the store. */
export interface KeyVersion {
  readonly version: number;
  readonly key: Buffer;
  /** Milliseconds until it is used; zero or less once it is. */
  readonly usedInMs: number;
  /** Milliseconds until it expires; null if it has not been replaced. */
  readonly endsInMs: number | null;
}

interface Timed {
  readonly key: Buffer;
  readonly usedFrom: number;
  readonly endsAt: number;
}

/** A key that can be replaced while the process runs. Read its values each time. */
export interface LiveKey {
  /** The key for creating new things. */
  current(): Buffer;
  /** Every key under which something may still be valid, oldest first, including one that will be used soon. */
  all(): readonly Buffer[];
}

/** A live key with the versions that were last read. */
export class VersionedKey implements LiveKey {
  readonly #name: string;
  #versions: readonly Timed[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  /** @param versions in order. */
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

/** A version that no master key has. While its row exists, a restore is filling the stores. */
const RESTORING = 0;

/** Marks the stores as incomplete, before the first write of a restore. */
export const BEGIN_RESTORE = `
  insert into keys.master_key (version, check_box, superseded_at) values (${RESTORING}, '', now())`;

export const END_RESTORE = `delete from keys.master_key where version = ${RESTORING}`;

export const IS_RESTORING = `select 1 from keys.master_key where version = ${RESTORING}`;

/** @throws {CannotStart} if a restore is in progress, or was interrupted. */
export async function refuseUnfinishedRestore(run: RunQuery): Promise<void> {
  if ((await run(IS_RESTORING, [])).length > 0)
    throw new CannotStart(
      "A restore into these stores is in progress or was interrupted: empty them and restore again.",
    );
}

/**
 * @param unmatched versions of the master key without a key.
 * @throws {WrongMasterKey} if keys are still wrapped with one of them.
 */
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
      "a rotation of the master key is unfinished: also set the previous key (MASTER_KEY_PREVIOUS)",
    );
}
