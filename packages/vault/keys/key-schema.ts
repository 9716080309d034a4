import type { Migration } from "#runtime/db/migrate.ts";

export const KEY_SCHEMA = "keys";

/** The tables of the PostgreSQL key store. Backed up apart from the event log. */
export const keyMigrations: readonly Migration[] = [
  {
    id: "2026-11-29-keys",
    sql: `
      create table master_key (
        version int primary key,
        -- Opens under the master key of this version: recognises a wrong one.
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
