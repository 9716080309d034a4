import type pg from "pg";
import type { Logger } from "pino";
import { withLock } from "#runtime/db/lock.ts";

/** Schemas with rows that erasures remove. `audit` is not one, since its personal data is sealed. */
export const ERASED_SCHEMAS: readonly string[] = [
  "reports",
  "offenders",
  "search",
  "search_source",
  "users",
  "inquiries",
  "outbox",
  "views",
  "command",
];

/** Milliseconds from an erasure to the cleaning, and the minimum between cleanings. */
const DELAY_MS = 15 * 60_000;

/** First server version in which a role other than the owner may vacuum a table. */
const MAINTAIN_SINCE = 170_000;

/** SQL condition for whether the current role may vacuum a table. */
const mayClean = (version: number, table: string, owner: string) =>
  version < MAINTAIN_SINCE
    ? `pg_has_role(${owner}, 'usage')`
    : `has_table_privilege(${table}, 'maintain')`;

/** Tables that the current role may vacuum. */
const tables = (version: number) => `
  select format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and c.relkind = 'r' and ${mayClean(version, "c.oid", "c.relowner")}
  order by 1`;

/**
 * Indexes that may contain personal data: those over texts without statistics, and GIN indexes,
 * which contain parts of texts. VACUUM removes a row's entries from them. But in a B-tree, keys remain
 * where they separate pages, and in a GIN index they remain forever.
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
 * Removes what erased rows leave behind: dead versions in the tables, values in the planner's
 * statistics, and keys in the indexes. Neither VACUUM nor a concurrent REINDEX blocks readers or
 * writers. Only one process cleans at a time.
 * @returns false when another process is cleaning.
 */
export async function cleanErasedRows(url: string): Promise<boolean> {
  const connection = { url, name: "projector cleaning", statementMs: "unlimited" } as const;
  const isDone = await withLock(connection, "erasure:clean", async (client) => {
    const { rows } = await client.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    const { version = 0 } = rows[0] ?? {};
    for (const table of await names(client, tables(version)))
      await unlessGone(client.query(`vacuum (analyze, index_cleanup on, truncate on) ${table}`));
    for (const index of await names(client, indexes(version)))
      await unlessGone(client.query(`reindex index concurrently ${index}`));
    return true;
  });
  return isDone ?? false;
}

async function names(client: pg.Client, statement: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(statement, [ERASED_SCHEMAS]);
  return rows.map(({ name }) => name);
}

/** Ignores a missing table: a rebuild swapped in another one, which never held the erased row. */
async function unlessGone(work: Promise<unknown>): Promise<void> {
  await work.catch((error: { code?: string }) => {
    if (error.code !== "42P01" && error.code !== "42704") throw error;
  });
}

/** Cleans some time after erasures, several at once; see {@link cleanErasedRows}. */
export class RowCleaner {
  readonly #clean: () => Promise<boolean>;
  readonly #log: Pick<Logger, "warn">;
  readonly #delayMs: number;
  #timer: NodeJS.Timeout | undefined;
  /** Whether something was erased while an earlier erasure's cleaning was still scheduled. */
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

  /** Reports an erasure. Its cleaning starts at least a full delay later, perhaps after one already scheduled. */
  record(): void {
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

  /** Resolves when a running cleaning has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      // The other process may have cleaned the table before this row was erased.
      if (!(await this.#clean())) this.#schedule();
    } catch (err) {
      this.#log.warn({ err }, "couldn't clean up after erased rows; will retry");
      this.#schedule();
    }
  }
}
