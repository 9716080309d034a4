import { randomBytes } from "node:crypto";
import type pg from "pg";
import { inTransaction, orRunMigrate } from "#runtime/db/migrate.ts";
import { hitOf } from "../found-hit.ts";
import { compareMatching, Excerpts, MATCHING_VERSION, type MarkedTexts } from "../matching.ts";
import type {
  IndexState,
  LogPosition,
  SearchIndex,
  SearchQuery,
  SearchRebuild,
  SearchResult,
  SearchWrite,
  SearchWriter,
} from "../port.ts";
import {
  createPageTokens,
  type Found,
  type PageKeys,
  type PageTokens,
  type PlacedHit,
  planSearch,
  type SearchPlan,
  searchPage,
} from "../search-plan.ts";
import { beginSearch, countedPage, type Statement, uncountedPage } from "./search-sql.ts";
import {
  checkedSchemaName,
  createIndexes,
  createTables,
  dropSchema,
  isInstalled,
  lockInstall,
} from "./tables.ts";
import { applyWrites } from "./writes.ts";

/** A rebuild in `<schema>_next`. `commit` does everything: `prepare`, `swap`, then `discardOld`. */
class PostgresSearchRebuild implements SearchRebuild {
  readonly #pool: pg.Pool;
  readonly #live: string;
  readonly #next: string;
  readonly #old: string;

  private constructor(pool: pg.Pool, live: string) {
    this.#pool = pool;
    this.#live = live;
    this.#next = `${live}_next`;
    this.#old = `${live}_old`;
  }

  /** Drops leftovers of an earlier rebuild and creates the new tables, still without indexes. */
  static async begin(pool: pg.Pool, live: string): Promise<PostgresSearchRebuild> {
    const rebuild = new PostgresSearchRebuild(pool, live);
    await inTransaction(pool, async (client) => {
      await lockInstall(client);
      await dropSchema(client, rebuild.#next);
      await dropSchema(client, rebuild.#old);
      await createTables(client, rebuild.#next);
    });
    return rebuild;
  }

  /** Returns a writer on the caller's connection, which is in a transaction. */
  writer(transaction: pg.ClientBase): SearchWriter {
    return {
      apply: (writes, position) => applyWrites(transaction, this.#next, writes, position),
    };
  }

  async apply(writes: readonly SearchWrite[], position: LogPosition): Promise<void> {
    await inTransaction(this.#pool, (client) => this.writer(client).apply(writes, position));
  }

  /**
   * Creates indexes and statistics; writes are slower afterward.
   * @param transaction without a time limit.
   */
  async prepare(transaction: pg.ClientBase): Promise<void> {
    await createIndexes(transaction, this.#next);
    await transaction.query(`analyze ${this.#next}.documents`);
  }

  /** Swaps the new tables in. It waits for no reader, and running searches finish on the old tables. */
  async swap(transaction: pg.ClientBase): Promise<void> {
    await lockInstall(transaction);
    await transaction.query(`create schema if not exists ${this.#live}`);
    await transaction.query(`alter schema ${this.#live} rename to ${this.#old}`);
    await transaction.query(`alter schema ${this.#next} rename to ${this.#live}`);
  }

  /** Drops the old tables, once the swap is committed. */
  async discardOld(): Promise<void> {
    await inTransaction(this.#pool, (client) => dropSchema(client, this.#old));
  }

  async commit(): Promise<void> {
    await inTransaction(this.#pool, (client) => this.prepare(client), { isLong: true });
    await inTransaction(this.#pool, (client) => this.swap(client));
    await this.discardOld();
  }

  async abort(): Promise<void> {
    await inTransaction(this.#pool, (client) => dropSchema(client, this.#next));
  }
}

interface PostgresSearchOptions {
  /** Schema of the live tables; `search` if absent. */
  readonly schema?: string;
  /** Number of matches that are counted exactly; 10,000 if absent. */
  readonly countCap?: number;
  /** Time limit of a search statement in milliseconds; 5,000 if absent. */
  readonly searchTimeoutMs?: number;
  /** Key that signs page tokens. If absent, a random one: tokens are then valid for this object only. */
  readonly pageKey?: Buffer | PageKeys;
}

/** The search index in a PostgreSQL schema. Call `install` before anything else. */
export class PostgresSearchIndex implements SearchIndex {
  readonly #pool: pg.Pool;
  readonly #schema: string;
  readonly #countCap: number;
  readonly #searchTimeoutMs: number;
  readonly #tokens: PageTokens;

  /** @param pool belongs to the caller, who sets its time limits and ends it. */
  constructor(pool: pg.Pool, options: PostgresSearchOptions = {}) {
    this.#pool = pool;
    this.#schema = checkedSchemaName(options.schema ?? "search");
    this.#countCap = options.countCap ?? 10_000;
    this.#searchTimeoutMs = options.searchTimeoutMs ?? 5_000;
    this.#tokens = createPageTokens(options.pageKey ?? randomBytes(32));
  }

  /**
   * Creates what is missing; several processes may call it.
   * @throws {CannotStart} if the role may not create it.
   */
  async install(): Promise<void> {
    if (await isInstalled(this.#pool, this.#schema)) return;
    const make = async (client: pg.ClientBase) => {
      await lockInstall(client);
      await createTables(client, this.#schema);
      await createIndexes(client, this.#schema);
    };
    await orRunMigrate(inTransaction(this.#pool, make, { isLong: true }));
  }

  /** Returns a writer in the caller's transaction. Its writes become visible with that transaction. */
  writer(transaction: pg.ClientBase): SearchWriter {
    return {
      apply: (writes, position) => applyWrites(transaction, this.#schema, writes, position),
    };
  }

  async apply(writes: readonly SearchWrite[], position: LogPosition): Promise<void> {
    await inTransaction(this.#pool, (client) => this.writer(client).apply(writes, position));
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    const plan = planSearch(query, this.#tokens);
    const page = (client: pg.ClientBase) =>
      searchPage(plan, (searched) => this.#find(client, searched));
    const begin = beginSearch(plan, this.#searchTimeoutMs);
    return inTransaction(this.#pool, page, { begin });
  }

  async #find(client: pg.ClientBase, plan: SearchPlan): Promise<Found> {
    const counted = await select(client, countedPage(this.#schema, plan, this.#countCap));
    const total = counted[0]?.total ?? 0;
    const capped = total > this.#countCap;
    const rows = capped
      ? await select(client, uncountedPage(this.#schema, plan))
      : counted.filter((row) => row.id !== null);
    if (plan.cursor?.direction === "before") rows.reverse();
    const excerpts = new Excerpts();
    return {
      hits: rows.map((row) => placedHit(row, plan, excerpts)),
      total: Math.min(total, this.#countCap),
      capped,
    };
  }

  async state(): Promise<IndexState> {
    const { rows } = await this.#pool.query<{ position: string | null; matching_version: number }>(
      `select position, matching_version from ${this.#schema}.meta`,
    );
    return {
      position: rows[0]?.position ?? null,
      matching: compareMatching(rows[0]?.matching_version),
    };
  }

  async beginRebuild(): Promise<PostgresSearchRebuild> {
    return PostgresSearchRebuild.begin(this.#pool, this.#schema);
  }

  async clear(): Promise<void> {
    const s = this.#schema;
    await inTransaction(this.#pool, async (client) => {
      await client.query(`delete from ${s}.documents`);
      await client.query(`delete from ${s}.tombstones`);
      await client.query(`update ${s}.meta set position = null, matching_version = $1`, [
        MATCHING_VERSION,
      ]);
    });
  }
}

async function select(client: pg.ClientBase, statement: Statement): Promise<FoundRow[]> {
  const { rows } = await client.query<FoundRow>(statement.text, [...statement.values]);
  return rows;
}

/** A row of a page as `search-sql.ts` selects it; an empty page gives one row with `id` null. */
interface FoundRow extends MarkedTexts {
  readonly total?: number;
  readonly negative_rank: number;
  readonly by_blind: boolean;
  readonly held: boolean[];
  readonly id: string;
  readonly amount_cents: string;
  readonly submitted_ms: string;
}

/** Returns the hit for a row of a page, with its match and highlights. */
function placedHit(row: FoundRow, plan: SearchPlan, excerpts: Excerpts): PlacedHit {
  const { id, by_blind: byBlind, held } = row;
  const sortable = {
    negative_rank: row.negative_rank,
    submitted_ms: Number(row.submitted_ms),
    amount_cents: Number(row.amount_cents),
  };
  return {
    hit: hitOf({ id, texts: row, byBlind, held }, plan, excerpts),
    key: { values: plan.order.values.map((value) => sortable[value]), id },
  };
}
