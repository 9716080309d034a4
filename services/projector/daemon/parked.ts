import type pg from "pg";
import type { StoredEvent } from "#event-store/port.ts";
import type { ProcessorName } from "#read-model/tables/processor.ts";

type Queryable = Pick<pg.ClientBase, "query">;

/** Parks a stream at an event that cannot be applied. */
export async function parkStream(
  sql: Queryable,
  processor: ProcessorName,
  event: StoredEvent,
  cause: string,
  attempts: number,
): Promise<void> {
  await sql.query(
    `with stream as (
       insert into processor.parked_stream (processor, stream, position) values ($1, $2, $3)
       on conflict do nothing
     )
     insert into processor.parked_event
       (processor, stream, position, revision, event_id, event_type, cause, attempts)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      processor,
      event.stream,
      event.position,
      event.revision,
      event.id,
      event.type,
      cause,
      attempts,
    ],
  );
}

/** Parks events behind the one at which their stream was parked. */
export async function parkBehind(
  sql: Queryable,
  processor: ProcessorName,
  events: readonly StoredEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await sql.query(
    `insert into processor.parked_event
       (processor, stream, position, revision, event_id, event_type)
     select $1, stream, position, revision, event_id, event_type
     from unnest($2::text[], $3::text[], $4::int[], $5::uuid[], $6::text[])
       as e (stream, position, revision, event_id, event_type)`,
    [
      processor,
      events.map((event) => event.stream),
      events.map((event) => event.position),
      events.map((event) => event.revision),
      events.map((event) => event.id),
      events.map((event) => event.type),
    ],
  );
}

/** Removes everything that is parked for a processor, because a rebuild has applied it. */
export async function forgetParked(sql: Queryable, processor: ProcessorName): Promise<void> {
  await sql.query("delete from processor.parked_event where processor = $1", [processor]);
  await sql.query("delete from processor.parked_stream where processor = $1", [processor]);
}

/** A parked stream in the operator's list. */
interface ParkedStream {
  readonly processor: ProcessorName;
  readonly stream: string;
  readonly since: Date;
  /** Number of parked events, including the first one. */
  readonly events: number;
  /** The event that could not be applied. */
  readonly position: string;
  readonly event_type: string;
  readonly cause: string;
  readonly attempts: number;
}

/** Returns everything that is parked, oldest first. */
export async function listParked(
  sql: Queryable,
  only: { readonly processor?: ProcessorName; readonly stream?: string } = {},
): Promise<ParkedStream[]> {
  const { rows } = await sql.query<ParkedStream>(
    `select s.processor, s.stream, s.since, s.position, e.event_type,
       coalesce(e.cause, '') as cause, e.attempts,
       (select count(*)::int from processor.parked_event w
        where w.processor = s.processor and w.stream = s.stream) as events
     from processor.parked_stream s
     join processor.parked_event e on e.processor = s.processor and e.position = s.position
     where ($1::text is null or s.processor = $1) and ($2::text is null or s.stream = $2)
     order by s.since, s.processor, s.position`,
    [only.processor ?? null, only.stream ?? null],
  );
  return rows;
}
