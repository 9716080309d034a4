import type pg from "pg";
import type { Logger } from "pino";
import { createClient } from "#kit/db/pool.ts";

/**
 * Schemas whose rows hold what an erasure takes away. `audit` is none of them: what is personal there
 * is sealed, and cannot be opened once the key is destroyed.
 */
export const ERASED_SCHEMAS: readonly string[] = [
  "reports",
  "offenders",
  "search",
  "search_source",
  "outbox",
  "views",
  "command",
];

/** Milliseconds from an erasure to the cleaning, and between two cleanings at least. */
const DELAY_MS = 15 * 60_000;

const LOCK = "select pg_try_advisory_lock(hashtextextended('erasure:clean', 0)) as locked";

/** What may be vacuumed by whoever asks. */
const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and c.relkind = 'r' and pg_has_role(c.relowner, 'usage')
  order by 1`;

/**
 * Indexes that name somebody: those over texts of which no statistics are kept, and GIN indexes,
 * which hold parts of texts. VACUUM takes a row's
 * entries out of them, but keys stay where they part the pages of a B-tree, and in a GIN index for
 * ever.
 */
const INDEXES = `
  select distinct format('%I.%I', n.nspname, c.relname) as name
  from pg_index i
  join pg_class c on c.oid = i.indexrelid
  join pg_am m on m.oid = c.relam
  join pg_namespace n on n.oid = c.relnamespace
  left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey::int2[])
  where n.nspname = any($1) and (a.attstattarget = 0 or m.amname = 'gin')
    and pg_has_role(c.relowner, 'usage')
  order by 1`;

/**
 * Takes what erased rows leave out of reach: their dead versions in the tables, their values in the
 * planner's statistics, and their keys in the indexes. Nobody waits for it: neither VACUUM nor a concurrent REINDEX holds up a reader or a
 * writer. Of several processes one does it at a time.
 * @returns false when another process is at it.
 */
export async function cleanErasedRows(url: string): Promise<boolean> {
  const client = createClient({ url, name: "projector cleaning", statementMs: "unlimited" });
  await client.connect();
  try {
    const { rows } = await client.query<{ locked: boolean }>(LOCK);
    if (!rows[0]?.locked) return false;
    for (const table of await names(client, TABLES))
      await unlessGone(client.query(`vacuum (analyze, index_cleanup on, truncate on) ${table}`));
    for (const index of await names(client, INDEXES))
      await unlessGone(client.query(`reindex index concurrently ${index}`));
    return true;
  } finally {
    await client.end();
  }
}

async function names(client: pg.Client, statement: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(statement, [ERASED_SCHEMAS]);
  return rows.map(({ name }) => name);
}

/** A rebuild puts other tables in their place: those never held the erased row. */
async function unlessGone(work: Promise<unknown>): Promise<void> {
  await work.catch((error: { code?: string }) => {
    if (error.code !== "42P01" && error.code !== "42704") throw error;
  });
}

/** Cleans a while after erasures, many of them at once; see {@link cleanErasedRows}. */
export class RowCleaner {
  readonly #clean: () => Promise<boolean>;
  readonly #log: Pick<Logger, "warn">;
  readonly #delayMs: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(deps: {
    readonly clean: () => Promise<boolean>;
    readonly log: Pick<Logger, "warn">;
    readonly delayMs?: number;
  }) {
    this.#clean = deps.clean;
    this.#log = deps.log;
    this.#delayMs = deps.delayMs ?? DELAY_MS;
  }

  /** Something was erased: its rows are gone by the time of the cleaning. */
  note(): void {
    if (this.#isStopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#run();
    }, this.#delayMs).unref();
  }

  /** Resolves when a cleaning that runs has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      // Another process may have passed the table already in which this row was.
      if (!(await this.#clean())) this.note();
    } catch (err) {
      this.#log.warn({ err }, "what erased rows left was not cleaned; it is tried again");
      this.note();
    }
  }
}
