import type { Migration } from "#runtime/db/migrate.ts";

/** A separate schema for the log, so that it can be dumped and restored on its own. */
export const EVENT_LOG_SCHEMA = "event_log";

/** Listeners receive the position of the last stored event. */
export const CHANNEL = "event_log";

/** Key of the one advisory lock that every append takes first; any constant would do. */
export const APPEND_LOCK = "7305804402462550117";

/**
 * The events. `data` and `metadata` are `json`, not `jsonb`: nothing here looks into them, so the
 * stored text is returned without being parsed and rebuilt. Values that the two types treat
 * differently (duplicate keys, U+0000, lone surrogates, numbers beyond a double) cannot get in, and
 * the hash does not depend on the order of keys.
 */
const table = `
create table event_log.event (
  position bigint primary key check (position > 0),
  id uuid not null unique,
  stream text collate "C" not null,
  revision integer not null check (revision >= 0),
  type text collate "C" not null,
  data json not null,
  metadata json not null,
  -- Bytes of the four texts: pages are cut by it before anything large is fetched.
  size integer not null,
  unique (stream, revision)
);

-- Rare types, for instance the deletions that the shredder reads at every start.
create index event_by_type on event_log.event (type, position);

-- Categories of streams: what stands before the first hyphen.
create index event_by_category on event_log.event (split_part(stream, '-', 1), position);
`;

/** Defense in depth: no one, not even the table's owner, changes stored events by accident. */
const appendOnly = `
create function event_log.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the event log is append-only: % is refused', tg_op
    using errcode = 'restrict_violation';
end
$$;

create trigger append_only before update or delete or truncate on event_log.event
  for each statement execute function event_log.refuse_change();
alter table event_log.event enable always trigger append_only;
`;

/**
 * Appends a group of batches independently: the outcome of one does not affect another.
 *
 * `batches`: `[{ "stream", "expected", "events": [{ "id", "type", "data", "metadata" }] }]` with -1
 * for a stream that must not exist. Returns one row per batch, in their order; `outcome` is
 *   stored    just now; revision and position are those of its last event
 *   repeated  it was stored before; revision and position are those of that time
 *   conflict  the stream is at another revision, given in `revision` (-1: it does not exist)
 *   mixed     some of its ids are stored already, but it is not a repeated batch
 *
 * The lock comes first. READ COMMITTED takes a new snapshot for each statement of a VOLATILE
 * function, so anyone who holds the lock sees everything that earlier holders committed; it is held
 * until its own commit is visible. So positions have no gaps and ascend in the order of commits: a
 * reader that has seen N never finds N - 1 later.
 *
 * A role that may run the function can append without any right to the table. The function names
 * every object with its schema, and a fixed search path keeps the caller's objects out.
 */
const append = `
create function event_log.append(batches json)
  returns table (outcome text, revision integer, "position" bigint)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  -- Plans are kept for the session, the first ones while the table is small: they must be the
  -- ones that a large table needs.
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
as $$
declare
  batch record;
  stored record;
  head bigint;
  count integer;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'event_log.append needs the isolation level READ COMMITTED'
      using errcode = 'feature_not_supported';
  end if;
  -- Acknowledged means stored, whatever the role or the database is set to.
  if current_setting('synchronous_commit') in ('off', 'local') then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  perform pg_advisory_xact_lock(${APPEND_LOCK});
  select coalesce(max(e.position), 0) into head from event_log.event e;

  for batch in
    select b.value ->> 'stream' as stream, (b.value ->> 'expected')::integer as expected,
           b.value -> 'events' as events, json_array_length(b.value -> 'events') as size
    from json_array_elements(batches) with ordinality as b (value, n) order by b.n
  loop
    select count(*) as found,
           count(*) filter (
             where e.stream = batch.stream and e.revision = batch.expected + given.n
           ) as fitting,
           max(e.position) as last
      into stored
      from rows from (json_to_recordset(batch.events) as (id uuid))
             with ordinality as given (id, n)
      join event_log.event e on e.id = given.id;
    if stored.fitting = batch.size then
      outcome := 'repeated';
      revision := batch.expected + batch.size;
      position := stored.last;
    elsif stored.found > 0 then
      outcome := 'mixed';
      revision := null;
      position := null;
    else
      select coalesce(max(e.revision), -1) into revision
        from event_log.event e where e.stream = batch.stream;
      if revision <> batch.expected then
        outcome := 'conflict';
        position := null;
      else
        insert into event_log.event (position, id, stream, revision, type, data, metadata, size)
        select head + given.n, given.id, batch.stream, batch.expected + given.n, given.type,
               given.data, given.metadata,
               octet_length(batch.stream) + octet_length(given.type)
                 + octet_length(given.data::text) + octet_length(given.metadata::text)
          from rows from (
                 json_to_recordset(batch.events)
                   as (id uuid, type text, data json, metadata json)
               ) with ordinality as given (id, type, data, metadata, n);
        head := head + batch.size;
        outcome := 'stored';
        revision := batch.expected + batch.size;
        position := head;
      end if;
    end if;
    return next;
  end loop;
end
$$;
`;

/** Migrations of the schema, frozen once released. */
export const eventLogMigrations: readonly Migration[] = [
  { id: "2026-11-29-event-log", sql: `${table}${appendOnly}${append}` },
];
