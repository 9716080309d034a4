import pg from "pg";
import { type ConnectionOptions, createClient, openPool } from "#runtime/db/pool.ts";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";
import type { ReadRange } from "../follow-log.ts";
import { type EventFilter, formatPosition, type StoredEvent, StoreUnavailable } from "../port.ts";

export const PAGE_EVENTS = 500;

/** Bytes beyond which no further event is added to a page. This bounds memory. */
const PAGE_BYTES = 4 * 1_048_576;

/** Maximum positions that one filtered statement looks through, so that it ends soon however rare the matches are. */
const FILTER_WINDOW = 5_000n;

/** Larger than every position that PostgreSQL can hold. */
const LAST = 2n ** 63n - 1n;

interface LogPage {
  readonly events: StoredEvent[];
  /** The last position that was read; the next page continues after it. */
  readonly cursor: bigint;
  /** Whether nothing more follows in this direction. */
  readonly done: boolean;
  readonly head: bigint;
}

interface EventRow {
  readonly position: string;
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
  /** Number of events in the page before it was cut to its limit of bytes. */
  readonly found: string;
}

/** Columns are read as text, so that parsers set for all of `pg` do not change them. */
const COLUMNS = `position::text as position, id::text as id, stream, revision, type,
  data::text as data, metadata::text as metadata, found::text as found`;

/** Cuts the candidates, ordered by `order`, to a page's bytes. The first one always stays. */
function cut(candidates: string, order: string, bytes: string): string {
  return `select * from (
    select c.*, count(*) over () as found,
      sum(c.size) over (order by ${order} rows unbounded preceding) - c.size as before
    from (${candidates}) c
  ) w where before < ${bytes}`;
}

/** Collects and numbers a statement's values. */
class Parameters {
  readonly values: unknown[] = [];
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** Reads on from `from`, exclusive, with the head of the same snapshot: a page that is not full is complete. */
export async function readLogPage(
  connections: Connections,
  from: bigint,
  filter: EventFilter | undefined,
  { backwards, limit }: { readonly backwards: boolean; readonly limit: number },
): Promise<LogPage> {
  const cursor = from > LAST ? LAST : from;
  const parameters = new Parameters();
  const $from = parameters.add(cursor.toString());
  const order = backwards ? "position desc" : "position";
  const conditions = [`position ${backwards ? "<" : ">"} ${$from}`];
  const filtering = filter?.types !== undefined || filter?.streamPrefixes !== undefined;
  const window = backwards ? cursor - FILTER_WINDOW : cursor + FILTER_WINDOW;
  if (filtering) {
    const bound = window > LAST ? LAST : window;
    conditions.push(`position ${backwards ? ">=" : "<="} ${parameters.add(bound.toString())}`);
    conditions.push(...filterConditions(filter, parameters));
  }
  const size = Math.min(limit, PAGE_EVENTS);
  const candidates = `select * from event_log.event where ${conditions.join(" and ")}
    order by ${order} limit ${parameters.add(size)}`;
  const rows = await connections.query<EventRow & { readonly head: string }>(
    `with log as (select coalesce(max(position), 0)::text as head from event_log.event)
     select log.head, page.* from log left join (
       select ${COLUMNS}, position as place
       from (${cut(candidates, order, parameters.add(PAGE_BYTES))}) p
     ) page on true order by ${backwards ? "place desc" : "place"}`,
    parameters.values,
  );
  const head = BigInt(rows[0]?.head ?? 0);
  const found = rows.filter((row) => row.position !== null);
  const events = found.map(toEvent);
  const last = found.at(-1);
  const full = found.length === size || found.length < Number(found[0]?.found ?? 0);
  let reached: bigint;
  if (last && full) reached = BigInt(last.position);
  else if (backwards) reached = filtering && window > 0n ? window : 0n;
  else reached = filtering && window < head ? window : head;
  // Never go back: a reader may start beyond the head.
  if (!backwards && reached < from) reached = from;
  return { events, cursor: reached, done: backwards ? reached <= 1n : reached >= head, head };
}

function filterConditions(filter: EventFilter, parameters: Parameters): string[] {
  const { types, streamPrefixes } = filter;
  const conditions: string[] = [];
  if (types?.length === 1) conditions.push(`type = ${parameters.add(types[0])}`);
  else if (types) conditions.push(`type = any(${parameters.add(types)}::text[])`);
  if (streamPrefixes) {
    conditions.push(`stream ^@ any(${parameters.add(streamPrefixes)}::text[])`);
    // Prefixes that reach past the first hyphen name their category. For a single category an index
    // returns the events in the order of positions. For several, scanning the log itself is better.
    const categories = new Set(streamPrefixes.map((prefix) => prefix.split("-", 1)[0]));
    if (categories.size === 1 && streamPrefixes.every((prefix) => prefix.includes("-")))
      conditions.push(`split_part(stream, '-', 1) = ${parameters.add([...categories][0])}`);
  }
  return conditions;
}

/** Reads one stream's events from a revision, inclusive, and whether there may be more. */
export async function readStreamPage(
  connections: Connections,
  stream: string,
  { from, backwards, limit }: ReadRange<number>,
): Promise<{ readonly events: StoredEvent[]; readonly done: boolean }> {
  const parameters = new Parameters();
  const order = backwards ? "revision desc" : "revision";
  const conditions = [`stream = ${parameters.add(stream)}`];
  if (from !== undefined)
    conditions.push(`revision ${backwards ? "<=" : ">="} ${parameters.add(from)}`);
  const size = Math.min(limit, PAGE_EVENTS);
  const candidates = `select * from event_log.event where ${conditions.join(" and ")}
    order by ${order} limit ${parameters.add(size)}`;
  const rows = await connections.query<EventRow>(
    `select ${COLUMNS} from (${cut(candidates, order, parameters.add(PAGE_BYTES))}) p
     order by ${order}`,
    parameters.values,
  );
  const full = rows.length === size || rows.length < Number(rows[0]?.found ?? 0);
  return { events: rows.map(toEvent), done: !full };
}

function toEvent(row: EventRow): StoredEvent {
  return {
    id: row.id,
    stream: row.stream,
    revision: row.revision,
    position: formatPosition(row.position),
    type: row.type,
    data: JSON.parse(row.data),
    metadata: JSON.parse(row.metadata),
  };
}

interface ConnectionsOptions {
  /** Limit of each call in milliseconds, including the wait for a connection. */
  readonly timeoutMs: number;
  /** Maximum number of connections in the pool. */
  readonly maxConnections: number;
  /** Name shown in `pg_stat_activity`. */
  readonly name: string;
}

/** SQLSTATE classes of temporary failures, as opposed to a wrong statement. */
const UNAVAILABLE = /^(08|25|28|3D|40|53|55|57|58)/;

/** Time limit for disconnecting cleanly, in milliseconds. */
const CLOSE_MS = 1_000;

/** Queries with a time limit each, whose errors show whether the server was down. */
export class Connections {
  readonly #pool: pg.Pool;
  readonly #options: ConnectionOptions;
  readonly #timeoutMs: number;
  #closed = false;

  constructor(url: string, { timeoutMs, maxConnections: max, name }: ConnectionsOptions) {
    this.#timeoutMs = timeoutMs;
    this.#options = connectionOptions(url, name, timeoutMs);
    this.#pool = openPool({
      ...this.#options,
      max,
      prepares: true,
      settings: ["set default_transaction_isolation = 'read committed'"],
    });
  }

  /**
   * @throws {StoreUnavailable} no reply in time, or a temporary failure. @throws {pg.DatabaseError} refused,
   * without effect.
   */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    if (this.#closed) throw new StoreUnavailable("the event log is closed");
    const config = { text, values, query_timeout: this.#timeoutMs };
    return this.#guard(async () => (await this.#pool.query<Row>(config)).rows);
  }

  /** Creates a connection outside the pool, for listening. It is not connected yet. */
  newClient(): pg.Client {
    return createClient(this.#options);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // Queries that still wait for a silent server have their own limits, and no callers anymore.
    await withDeadline(this.#pool.end(), CLOSE_MS, () => new Error("too late")).catch(
      () => undefined,
    );
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    const tooLate = () =>
      new StoreUnavailable(`the event log did not answer within ${this.#timeoutMs} ms`);
    try {
      // The pool's own limits restart with each step; this one covers all steps.
      return await withDeadline(work(), this.#timeoutMs + 500, tooLate);
    } catch (error) {
      if (error instanceof StoreUnavailable || isRefusal(error)) throw error;
      throw new StoreUnavailable("the event log is unreachable", { cause: error });
    }
  }
}

/** Whether the server understood a statement and permanently refused it. */
export function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !UNAVAILABLE.test(error.code ?? "");
}

/** How the store opens its connections. */
export function connectionOptions(url: string, name: string, timeoutMs: number): ConnectionOptions {
  return { url, name, connectMs: timeoutMs, statementMs: timeoutMs };
}
