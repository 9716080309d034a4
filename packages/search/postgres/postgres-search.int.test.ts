import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { at, document, fill, ids, remove, several, upsert } from "../contract/documents.ts";
import { searchContract, TEST_COUNT_CAP } from "../contract-suite.ts";
import { createPageTokens, planSearch } from "../search-plan.ts";
import { PostgresSearchIndex } from "./postgres-search-index.ts";
import { beginSearch, countedPage } from "./search-sql.ts";

searchContract("PostgreSQL", async () => {
  const database = await freshDatabase();
  const pool = new pg.Pool({ connectionString: database.url });
  const index = new PostgresSearchIndex(pool, { countCap: TEST_COUNT_CAP });
  await index.install();
  return {
    index,
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
});

describe("the search index in PostgreSQL", () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let index: PostgresSearchIndex;

  beforeAll(async () => {
    database = await freshDatabase();
    pool = new pg.Pool({ connectionString: database.url });
    index = new PostgresSearchIndex(pool);
    await index.install();
    await pool.query("create table checkpoint (position text)");
  });
  beforeEach(() => index.clear());
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const inTransaction = async (end: "commit" | "rollback", work: (c: pg.PoolClient) => unknown) => {
    const client = await pool.connect();
    try {
      await client.query("begin");
      await work(client);
      await client.query(end);
    } finally {
      client.release();
    }
  };
  const schemas = async () => {
    const { rows } = await pool.query(
      "select nspname from pg_namespace where nspname like 'search%' order by 1",
    );
    return rows.map((row) => row.nspname);
  };

  it("writes in the caller's transaction, with the caller's checkpoint or not at all", async () => {
    const write = async (client: pg.PoolClient) => {
      await index.writer(client).apply([upsert(1, document(1)), remove(1, document(2))], at(1));
      await client.query("insert into checkpoint values ($1)", [at(1)]);
      expect(await ids(index, {})).toEqual([]);
    };
    await inTransaction("rollback", write);
    expect(await ids(index, {})).toEqual([]);
    expect(await index.state()).toMatchObject({ position: null });
    await inTransaction("commit", write);
    expect(await ids(index, {})).toEqual([document(1).id]);
    expect((await pool.query("select position from checkpoint")).rows).toEqual([
      { position: at(1) },
    ]);
  });

  it("swaps a rebuilt index in the caller's transaction or not at all", async () => {
    await fill(index, [document(1)]);
    const rebuild = await index.beginRebuild();
    await inTransaction("commit", (c) => rebuild.writer(c).apply([upsert(1, document(2))], at(2)));
    await inTransaction("commit", (client) => rebuild.prepare(client));
    await rebuild.apply([upsert(3, document(3))], at(3));
    await inTransaction("rollback", (client) => rebuild.swap(client));
    expect(await ids(index, {})).toEqual([document(1).id]);
    await inTransaction("commit", (client) => rebuild.swap(client));
    expect(await ids(index, {})).toEqual([document(3).id, document(2).id]);
    await rebuild.discardOld();
    expect(await schemas()).toEqual(["search"]);
  });

  it("leaves a rebuilt index with every index of an installed one", async () => {
    const indexes = async () => {
      const { rows } = await pool.query(
        "select indexdef from pg_indexes where schemaname = 'search' order by indexname",
      );
      return rows.map((row) => row.indexdef);
    };
    const installed = await indexes();
    await (await index.beginRebuild()).commit();
    expect(await indexes()).toEqual(installed);
    expect(installed).toHaveLength(10);
  });

  it("installs in several processes at the same time, again, and next to data", async () => {
    await fill(index, [document(1)]);
    const other = new PostgresSearchIndex(pool, { schema: "search_other" });
    await Promise.all(Array.from({ length: 5 }, () => other.install()));
    await Promise.all([index.install(), other.apply([upsert(1, document(2))], at(1))]);
    expect(await ids(index, {})).toEqual([document(1).id]);
    expect(await ids(other, {})).toEqual([document(2).id]);
    await pool.query("drop schema search_other cascade");
  });

  it("accepts only a plain name for its schema", () => {
    for (const schema of ["", "a b", "x; drop schema search", 'a"b', "Ä", "9a"]) {
      expect(() => new PostgresSearchIndex(pool, { schema })).toThrow(TypeError);
    }
  });

  it("reports that it is outdated if another version of the matching filled it", async () => {
    await pool.query("update search.meta set matching_version = matching_version - 1");
    expect(await index.state()).toMatchObject({ matching: "earlier" });
    await (await index.beginRebuild()).commit();
    expect(await index.state()).toMatchObject({ matching: "same" });
  });

  it("keeps only id and position of a deleted document, in any table", async () => {
    const canary = {
      first_name: "Canaryfirst",
      last_name: "Canarylast",
      title: "canarytitle",
      description: "canarydescription",
      city: "Canarycity",
      blind: { email: ["canaryemail"], phone: ["canaryphone"] },
    };
    const dump = async () => {
      const tables = ["documents", "tombstones", "meta"];
      const rows = await Promise.all(
        tables.map((t) => pool.query(`select t::text as row from search.${t} t`)),
      );
      return rows.flatMap((r) => r.rows.map((row) => row.row)).join("\n");
    };
    await fill(index, [document(1, canary)]);
    expect(await dump()).toMatch(/canary/i);
    await index.apply([remove(2, document(1))], at(2));
    expect(await dump()).not.toMatch(/canary/i);
    expect((await pool.query("select * from search.tombstones")).rows).toEqual([
      { id: document(1).id, position: at(2) },
    ]);
  });

  it("cancels a slow search, and keeps working", async () => {
    const hurried = new PostgresSearchIndex(pool, { searchTimeoutMs: 50 });
    const client = await pool.connect();
    await client.query("begin; lock table search.documents in access exclusive mode");
    await expect(hurried.search({ size: 9 })).rejects.toThrow(/statement timeout/);
    await client.query("rollback");
    client.release();
    expect(await hurried.search({ size: 9 })).toMatchObject({ total: 0 });
  });

  it("returns the caller's connections unchanged", async () => {
    const single = new pg.Pool({ connectionString: database.url, max: 1 });
    const search = new PostgresSearchIndex(single, { searchTimeoutMs: 1234 });
    await search.search({ q: "smith", size: 9 });
    await expect(search.search({ q: "smith", size: 9, page: "x" })).rejects.toThrow();
    for (const [setting, value] of [
      ["statement_timeout", "0"],
      ["enable_seqscan", "on"],
      ["transaction_read_only", "off"],
    ]) {
      expect((await single.query(`show ${setting}`)).rows[0]).toEqual({ [setting ?? ""]: value });
    }
    await single.end();
  });

  it("finds words and names through its indexes, not by reading every row", async () => {
    const docs = several(3_000).map((doc, n) => ({
      ...doc,
      first_name: `First${n % 300}`,
      last_name: `Last${n.toString(36)}son`,
      description: `Text number ${(n * 7919).toString(36)} of many, with words enough to fill a line`,
    }));
    const rebuild = await index.beginRebuild();
    await rebuild.apply(
      docs.map((doc) => upsert(1, doc)),
      at(1),
    );
    await rebuild.commit();
    for (const q of ["john smith", "smtih", "laptop austin", "last77", "ng last"]) {
      const search = planSearch({ q, size: 9 }, createPageTokens(randomBytes(32)));
      const { text, values } = countedPage("search", search, 10_000);
      const client = await pool.connect();
      await client.query(beginSearch(search, 5_000));
      const { rows } = await client.query(`explain ${text}`, [...values]);
      await client.query("rollback");
      client.release();
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan).toMatch(/Bitmap Index Scan on documents_(text|terms)/);
      expect(plan).not.toMatch(/Seq Scan/);
    }
  });
});
