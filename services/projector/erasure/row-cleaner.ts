import type pg from "pg";
import type { Logger } from "pino";
import { createClient } from "#runtime/db/pool.ts";

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

const LOCK = `
  select pg_try_advisory_lock(hashtextextended('erasure:clean', 0)) as locked,
         current_setting('server_version_num')::int as version`;

/** Server version from which on others than the owner may be let vacuum a table. */
const MAINTAIN_SINCE = 170_000;

/** SQL that tells whether the current role may vacuum a table. */
const mayClean = (version: number, table: string, owner: string) =>
  version < MAINTAIN_SINCE
    ? `pg_has_role(${owner}, 'usage')`
    : `has_table_privilege(${table}, 'maintain')`;

/** What the current role may vacuum. */
const tables = (version: number) => `
  select format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and c.relkind = 'r' and ${mayClean(version, "c.oid", "c.relowner")}
  order by 1`;

/**
 * Indexes that name somebody: those over texts of which no statistics are kept, and GIN indexes,
 * which hold parts of texts. VACUUM takes a row's entries out of them, but keys stay where they part
 * the pages of a B-tree, and in a GIN index for ever.
 */
const indexes = (version: number) => `
  select distinct format('%I.%I', n.nspname, c.relname) as name
  from pg_index i
  join pg_class c on c.oid = i.indexrelid
  join pg_am m on m.oid = c.relam
  join pg_namespace n on n.oid = c.relnamespace
  left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey::int2[])
  where n.nspname = any($1) and (a.attstattarget = 0 or m.amname = 'gin')
    and ${mayClean(version, "i.indrelid", "c.relowner")}
  order by 1`;

/**
 * Takes what erased rows leave out of reach: their dead versions in the tables, their values in the
 * planner's statistics, and their keys in the indexes. Nobody waits for it: neither VACUUM nor a
 * concurrent REINDEX holds up a reader or a writer. Of several processes one does it at a time.
 * @returns false when another process is at it.
 */
export async function cleanErasedRows(url: string): Promise<boolean> {
  const client = createClient({ url, name: "projector cleaning", statementMs: "unlimited" });
  await client.connect();
  try {
    const { rows } = await client.query<{ locked: boolean; version: number }>(LOCK);
    const { locked = false, version = 0 } = rows[0] ?? {};
    if (!locked) return false;
    for (const table of await names(client, tables(version)))
      await unlessGone(client.query(`vacuum (analyze, index_cleanup on, truncate on) ${table}`));
    for (const index of await names(client, indexes(version)))
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
  /** Something was erased while the cleaning of an earlier erasure was waited for. */
  #notedAgain = false;
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

  /**
   * Something was erased. A cleaning begins a full delay later at least, when its rows are gone:
   * after the one that is waited for, there is another.
   */
  note(): void {
    if (this.#timer) this.#notedAgain = true;
    else this.#schedule();
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#run();
      if (!this.#notedAgain) return;
      this.#notedAgain = false;
      this.#schedule();
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
      if (!(await this.#clean())) this.#schedule();
    } catch (err) {
      this.#log.warn({ err }, "what erased rows left was not cleaned; it is tried again");
      this.#schedule();
    }
  }
}
