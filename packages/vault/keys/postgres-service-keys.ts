import { randomBytes } from "node:crypto";
import type { QueryResultRow } from "pg";
import { orRunMigrate } from "#runtime/db/migrate.ts";
import {
  KeyReplacementRefused,
  type KeyVersion,
  type LiveKey,
  type TokenVerifier,
  VersionedKey,
} from "./key-store.ts";
import { KEY_BYTES, wrapKey } from "./master-ring.ts";
import {
  keyId,
  LEAD_MS,
  POLL_MS,
  publicKeyOf,
  type ReplaceableKey,
  SERVICE_KEYS,
  verifyingKey,
} from "./service-keys.ts";

/** The key store's operations for its part that keeps service keys. */
interface StoreAccess {
  query<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<Row[]>;
  /** Writes under the current master key; repeats while `write` reports that it has changed. */
  writeUnderCurrent(write: (version: number, master: Buffer) => Promise<boolean>): Promise<void>;
  unwrap(row: { name: string; wrapped: Buffer; key_version: number }): Promise<Buffer>;
  /** Milliseconds between polls for new keys; {@link POLL_MS} if absent. */
  readonly pollMs?: number | undefined;
}

interface VersionRow {
  readonly name: string;
  readonly version: number;
  readonly bound_name: string;
  readonly wrapped: Buffer;
  readonly key_version: number;
  readonly used_in: number;
  readonly ends_in: number | null;
}

interface LiveEntry {
  readonly key: VersionedKey;
  /** Versions that are already unwrapped. */
  readonly read: Map<number, Buffer>;
}

interface PublicRow {
  readonly public_key: Buffer;
}

/** Minimum milliseconds between lookups of an unknown public key. */
const LOOK_MS = 1_000;

/** SQL for the name to which a version's wrapping is bound. */
export const BOUND_NAME = "case when version = 1 then name else name || '#' || version end";

function boundName(name: string, version: number): string {
  return version === 1 ? name : `${name}#${version}`;
}

const VERSIONS = `
  select name, version, ${BOUND_NAME} as bound_name, wrapped, key_version,
         extract(epoch from used_from - now())::float8 * 1000 as used_in,
         extract(epoch from ends_at - now())::float8 * 1000 as ends_in
  from keys.service_key
  where name = any($1) and (ends_at is null or ends_at > now())
  order by name, version`;

const PUBLIC_KEYS = `
  select public_key from keys.public_key
  where name = 'tokens' and (ends_at is null or ends_at > now())`;

/** The part of the PostgreSQL key store that keeps the services' own keys. */
export class PostgresServiceKeys {
  readonly #store: StoreAccess;
  readonly #live = new Map<string, LiveEntry>();
  readonly #opening = new Map<string, Promise<LiveKey>>();
  #verifying: Map<string, string> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #refreshing: Promise<void> | undefined;
  #lastLook = Number.NEGATIVE_INFINITY;

  constructor(store: StoreAccess) {
    this.#store = store;
  }

  live(name: string): Promise<LiveKey> {
    const known = this.#opening.get(name);
    if (known) return known;
    const opening = this.#open(name);
    this.#opening.set(name, opening);
    opening.catch(() => this.#opening.delete(name));
    return opening;
  }

  async #open(name: string): Promise<LiveKey> {
    if ((await this.#read([name])).length === 0) await orRunMigrate(this.#make(name, 1, 0));
    const entry: LiveEntry = { key: new VersionedKey(name), read: new Map() };
    this.#live.set(name, entry);
    await this.#refreshKeys();
    this.#poll();
    return entry.key;
  }

  async verifier(): Promise<TokenVerifier> {
    this.#verifying ??= new Map();
    await this.#refresh();
    this.#poll();
    return {
      publicKey: async (kid) => {
        const isDue = performance.now() - this.#lastLook >= LOOK_MS;
        // Before the first key is known there is no reason to wait: every valid token implies a key.
        const isFirst = this.#verifying?.size === 0;
        if (!this.#verifying?.has(kid) && (isDue || isFirst)) await this.#refresh();
        await this.#refreshing;
        return this.#verifying?.get(kid);
      },
    };
  }

  async replace(
    name: ReplaceableKey,
    leadMs = LEAD_MS,
  ): Promise<{ usedFrom: Date; formerEnds: Date }> {
    await this.live(name);
    const former = (await this.#read([name])).at(-1) as VersionRow;
    return this.#make(name, former.version + 1, leadMs);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Creates a version of a key, unless it exists, and sets the end of the previous one. */
  async #make(
    name: string,
    version: number,
    leadMs: number,
  ): Promise<{ usedFrom: Date; formerEnds: Date }> {
    const formerMs = SERVICE_KEYS[name as ReplaceableKey] ?? 0;
    let made: { current: string; used_from: Date | null } | undefined;
    await this.#store.writeUnderCurrent(async (keyVersion, master) => {
      const key = randomBytes(KEY_BYTES);
      const bound = { kind: "service" as const, name: boundName(name, version) };
      const wrapped = wrapKey(master, key, { ...bound, version: keyVersion });
      [made] = await this.#store.query<{ current: string; used_from: Date | null }>(
        `with current as materialized (
           select version from keys.master_key
           where version = $1 and superseded_at is null for share
         ), made as (
           insert into keys.service_key (name, version, wrapped, key_version, public_key, used_from)
           select $2, $3, $4, current.version, $5, now() + $6 * interval '1 ms' from current
           on conflict do nothing
           returning used_from
         ), former as (
           update keys.service_key k set ends_at = made.used_from + $7 * interval '1 ms'
           from made where k.name = $2 and k.version < $3 and k.ends_at is null
         ), gone as (
           delete from keys.service_key where name = $2 and ends_at < now()
         )
         select count(*) as current, max(made.used_from) as used_from
         from current left join made on true`,
        [
          keyVersion,
          name,
          version,
          wrapped,
          name === "tokens" ? publicKeyOf(key) : null,
          leadMs,
          formerMs,
        ],
      );
      return made?.current === "1";
    });
    const usedFrom = made?.used_from;
    if (!usedFrom && version > 1)
      throw new KeyReplacementRefused(`the key ${name} is already being replaced`);
    const from = usedFrom ?? new Date();
    return { usedFrom: from, formerEnds: new Date(from.getTime() + formerMs) };
  }

  #read(names: readonly string[]): Promise<VersionRow[]> {
    return this.#store.query<VersionRow>(VERSIONS, [names]);
  }

  /** Starts regular polling. A failed read is retried at the next poll. */
  #poll(): void {
    if (this.#timer) return;
    this.#timer = setInterval(
      () => void this.#refresh().catch(() => undefined),
      this.#store.pollMs ?? POLL_MS,
    );
    this.#timer.unref();
  }

  /** Refreshes one at a time: concurrent callers wait for the one that is running. */
  #refresh(): Promise<void> {
    this.#refreshing ??= (async () => {
      try {
        await this.#refreshKeys();
        await this.#refreshVerifying();
      } finally {
        this.#refreshing = undefined;
      }
    })();
    return this.#refreshing;
  }

  async #refreshKeys(): Promise<void> {
    if (this.#live.size === 0) return;
    const rows = await this.#read([...this.#live.keys()]);
    for (const [name, { key, read }] of this.#live) {
      const versions: KeyVersion[] = [];
      for (const row of rows.filter((each) => each.name === name)) {
        const opened =
          read.get(row.version) ?? (await this.#store.unwrap({ ...row, name: row.bound_name }));
        read.set(row.version, opened);
        const { version, used_in: usedInMs, ends_in: endsInMs } = row;
        versions.push({ version, key: opened, usedInMs, endsInMs });
      }
      if (versions.length > 0) key.set(versions);
    }
  }

  async #refreshVerifying(): Promise<void> {
    if (!this.#verifying) return;
    this.#lastLook = performance.now();
    const rows = await this.#store.query<PublicRow>(PUBLIC_KEYS, []);
    this.#verifying = new Map(
      rows.map(({ public_key: spki }) => [keyId(spki), verifyingKey(spki)]),
    );
  }
}
