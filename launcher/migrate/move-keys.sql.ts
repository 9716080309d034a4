/** The tables that hold keys, each after those that it refers to. */
export const KEY_TABLES = ["master_key", "subject_key", "service_key"] as const;

/** Nobody else writes, or waits for that with a lock in hand; who only reads goes on. */
export const LOCK_TABLES =
  "lock table keys.master_key, keys.subject_key, keys.service_key in exclusive mode";

export const DROP_SCHEMA = "drop schema keys cascade";

/** What comes over, beside what is there. */
export const STAGE_TABLES = Object.fromEntries(
  KEY_TABLES.map((table) => [
    table,
    `create temporary table ${table} (like keys.${table}) on commit drop`,
  ]),
) as Readonly<Record<(typeof KEY_TABLES)[number], string>>;

/** A store that was opened, and has no key yet, takes over the master key's versions, too. */
export const FORGET_UNUSED_MASTER = `
  delete from keys.master_key
  where exists (select 1 from pg_temp.master_key)
    and not exists (select 1 from keys.subject_key) and not exists (select 1 from keys.service_key)`;

/**
 * Names of what is another key here than there. A key keeps its time of creation when a rotation
 * of the master key wraps it again, so it is the same one where that or the wrapping is the same.
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
 * A key that is there already stays wrapped as it is. It ends with the first end of either side,
 * and one that was destroyed on either side is destroyed. A replaced service key is removed after
 * its end: where a later version is there, an earlier one was removed and does not come back.
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

/** What the old place holds. */
export const EXPECTED = `
  select (select count(*)::int from keys.subject_key) as "subjectKeys",
    (select count(*)::int from keys.service_key) as "serviceKeys"`;

/** How much of it the new place holds, each key as it was, wrapped again, or destroyed. */
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
