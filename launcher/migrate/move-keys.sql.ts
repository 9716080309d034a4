/** The tables of keys, each after those that it refers to. */
export const KEY_TABLES = ["master_key", "subject_key", "service_key"] as const;

/** Keeps others from writing, or from taking a lock in order to write. Readers are not blocked. */
export const LOCK_TABLES =
  "lock table keys.master_key, keys.subject_key, keys.service_key in exclusive mode";

export const DROP_SCHEMA = "drop schema keys cascade";

/** Temporary tables for the incoming keys, beside those that are there. */
export const STAGE_TABLES = Object.fromEntries(
  KEY_TABLES.map((table) => [
    table,
    `create temporary table ${table} (like keys.${table}) on commit drop`,
  ]),
) as Readonly<Record<(typeof KEY_TABLES)[number], string>>;

/** A store without any keys also takes over the versions of the master key. */
export const FORGET_UNUSED_MASTER = `
  delete from keys.master_key
  where exists (select 1 from pg_temp.master_key)
    and not exists (select 1 from keys.subject_key) and not exists (select 1 from keys.service_key)`;

/**
 * Names of keys that differ between the two sides. A rotation of the master key wraps a key again
 * but keeps its time of creation. So keys are the same when either their time or their wrapping
 * matches.
 */
export const CONFLICTS = `
  select 'version ' || version || ' of the master key' as name
  from pg_temp.master_key s join keys.master_key k using (version)
  where s.check_box <> k.check_box
  union all
  select subject from pg_temp.subject_key s join keys.subject_key k using (subject)
  where s.wrapped <> k.wrapped and s.created_at is distinct from k.created_at
  union all
  select name || ' (services)' from pg_temp.service_key s join keys.service_key k using (name, version)
  where s.wrapped <> k.wrapped and s.created_at <> k.created_at`;

/**
 * A key that exists on both sides stays wrapped as it is here. It ends at the earlier of both ends,
 * and if either side destroyed it, it is destroyed. Replaced service keys are removed after their
 * end: an earlier version than those here has been removed and does not come back.
 */
export const MERGE: readonly string[] = [
  `update keys.master_key k set superseded_at = s.superseded_at
   from pg_temp.master_key s where s.version = k.version and k.superseded_at is null`,
  `insert into keys.master_key select * from pg_temp.master_key s
   where s.version > (select coalesce(max(version), 0) from keys.master_key)`,
  `insert into keys.subject_key as k select * from pg_temp.subject_key
   on conflict (subject) do update set
     owner = coalesce(k.owner, excluded.owner),
     wrapped = case when excluded.destroyed_at is null then k.wrapped end,
     key_version = case when excluded.destroyed_at is null then k.key_version end,
     created_at = coalesce(k.created_at, excluded.created_at),
     ensured_at = greatest(k.ensured_at, excluded.ensured_at),
     used = k.used or excluded.used,
     destroyed_at = least(k.destroyed_at, excluded.destroyed_at)`,
  `insert into keys.service_key as k select * from pg_temp.service_key s
   where exists (select 1 from keys.service_key t where t.name = s.name and t.version = s.version)
     or s.version > (select coalesce(max(version), 0) from keys.service_key t where t.name = s.name)
   on conflict (name, version) do update set ends_at = least(k.ends_at, excluded.ends_at)`,
];

/** How many keys the old tables hold. */
export const EXPECTED = `
  select (select count(*)::int from keys.subject_key) as "subjectKeys",
    (select count(*)::int from keys.service_key) as "serviceKeys"`;

/** How many of these keys the new tables hold: unchanged, wrapped again, or destroyed. */
export const COUNTED = `
  select count(*)::int as "subjectKeys",
    count(*) filter (where k.destroyed_at is not null)::int as destroyed,
    (select count(*)::int from pg_temp.service_key s where exists (
       select 1 from keys.service_key t where t.name = s.name and
         (t.version > s.version or t.version = s.version and t.created_at = s.created_at)
     )) as "serviceKeys"
  from pg_temp.subject_key s join keys.subject_key k using (subject)
  where (k.destroyed_at is not null)
    or (s.destroyed_at is null and (k.wrapped = s.wrapped or k.created_at = s.created_at))`;
