import { randomBytes } from "node:crypto";
import type { Migration } from "#runtime/db/migrate.ts";
import type { KeyRequest } from "./key-store.ts";
import { KEY_BYTES, wrapKey } from "./master-ring.ts";

export const KEY_SCHEMA = "keys";

/** The tables of the PostgreSQL key store. Backed up separately from the event log. */
export const keyMigrations: readonly Migration[] = [
  {
    id: "2026-11-29-keys",
    sql: `
      create table master_key (
        version int primary key,
        -- Opens under the master key of this version: recognizes a wrong one.
        check_box bytea not null,
        created_at timestamptz not null default now(),
        superseded_at timestamptz
      );
      create unique index one_current_master_key on master_key ((true)) where superseded_at is null;

      create table subject_key (
        subject text primary key,
        -- Account under which a reporter's key is listed.
        owner text,
        wrapped bytea,
        key_version int references master_key (version),
        -- Null for a subject that was destroyed before it ever had a key here.
        created_at timestamptz,
        -- Last time a command asked for the key to exist, within an hour; used by the sweep.
        ensured_at timestamptz,
        -- Known to seal stored events.
        used boolean not null default false,
        destroyed_at timestamptz,
        constraint destroyed_means_empty check ((wrapped is null) = (destroyed_at is not null)),
        constraint version_with_key check ((wrapped is null) = (key_version is null))
      );
      create index subject_key_by_owner on subject_key (owner) where owner is not null;
      create index subject_key_by_version on subject_key (key_version) where key_version is not null;
      create index subject_key_unused on subject_key (subject) where not used and destroyed_at is null;
      -- What a destroyed key leaves in dead tuples goes soon, however large the table is: a single one is enough.
      alter table subject_key set
        (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 0);

      create table service_key (
        name text not null,
        wrapped bytea not null,
        key_version int not null references master_key (version),
        created_at timestamptz not null default now(),
        version int not null default 1,
        -- DER of the public key, of a key that has one.
        public_key bytea,
        used_from timestamptz not null default now(),
        -- Set when another key replaces this one.
        ends_at timestamptz,
        primary key (name, version)
      );
      create view public_key as
        select name, version, public_key, used_from, ends_at from service_key
        where public_key is not null;
    `,
  },
];

/** A row that the statement returns: one for each key that was created or requested again, or one without a key. */
export interface InsertedKey {
  readonly subject: string | null;
  /** Whether this statement created the key, rather than finding it. */
  readonly made: boolean | null;
}

/**
 * Returns a statement that creates keys for subjects without one. It returns no row if the master key's version
 * is no longer current.
 */
export function insertKeys(
  requests: readonly KeyRequest[],
  version: number,
  master: Buffer,
): {
  readonly keys: ReadonlyMap<string, Buffer>;
  readonly text: string;
  readonly values: unknown[];
} {
  // One draw for all, because each draw is a system call.
  const drawn = randomBytes(KEY_BYTES * requests.length);
  const keys = new Map(
    requests.map(({ subject }, n) => [subject, drawn.subarray(n * KEY_BYTES, (n + 1) * KEY_BYTES)]),
  );
  const wrapped = [...keys].map(([name, key]) =>
    wrapKey(master, key, { kind: "subject", name, version }),
  );
  const owners = requests.map(({ owner }) => owner ?? null);
  return { keys, text: INSERT, values: [version, [...keys.keys()], owners, wrapped] };
}

// The share lock makes a rotation wait for writers that use the version being replaced.
const INSERT = `
  with current as materialized (
    select version from keys.master_key
    where version = $1 and superseded_at is null for share
  ), given as (
    select * from unnest($2::text[], $3::text[], $4::bytea[]) as n (subject, owner, wrapped)
  ), made as (
    insert into keys.subject_key as k
      (subject, owner, wrapped, key_version, created_at, ensured_at)
    select n.subject, n.owner, n.wrapped, current.version, now(), now()
    from given n cross join current
    order by n.subject
    on conflict (subject) do update set ensured_at = now()
      where k.destroyed_at is null and not k.used
        and k.ensured_at < now() - interval '1 hour'
    returning k.subject, k.wrapped
  )
  select made.subject, made.wrapped = given.wrapped as made
  from current left join (made join given using (subject)) on true`;
