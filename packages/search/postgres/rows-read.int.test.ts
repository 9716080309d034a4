import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { at, document, upsert } from "../contract/documents.ts";
import { type SearchQuery, SORTS } from "../port.ts";
import { createPageTokens, planSearch } from "../search-plan.ts";
import { PostgresSearchIndex } from "./postgres-search-index.ts";
import { beginSearch, countedPage, type Statement, uncountedPage } from "./search-sql.ts";

const ROWS = 20_000;
const CAP = 1_000;
/** More rows than any name has here, but a small share of all rows. */
const MAX = 3_000;

/** A node of a plan, as `explain (analyze, format json)` reports it. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly PlanNode[];
}

describe("rows that a search reads in PostgreSQL", () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let index: PostgresSearchIndex;
  const pageKey = randomBytes(32);
  const tokens = createPageTokens(pageKey);

  beforeAll(async () => {
    database = await freshDatabase();
    pool = new pg.Pool({ connectionString: database.url });
    index = new PostgresSearchIndex(pool, { pageKey, countCap: CAP });
    await index.install();
    const first = ["John", "Robert", "Mary", "Ann", "Elizabeth", "Xiu", "Olga", "Pedro"];
    const last = ["Smith", "Jones", "Garcia", "Nguyen", "Miller", "Lee", "Petrov"];
    const docs = Array.from({ length: ROWS }, (_, n) =>
      document(n, {
        first_name: first[n % 8] as string,
        last_name: `${last[n % 7]}${n % 3 === 0 ? "" : n.toString(36).replaceAll(/\d/g, "q")}`,
        title: "The order that he had sent",
        description: `He ordered ${n % 1000 === 7 ? "a rare zither" : "a TV"} and said that it never came to him`,
        amount_cents: n,
      }),
    );
    const rebuild = await index.beginRebuild();
    await rebuild.apply(
      docs.map((doc) => upsert(1, doc)),
      at(1),
    );
    await rebuild.commit();
  }, 300_000);
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** Counts the document rows that the statement reads, including those that it discards. */
  async function rowsRead(client: pg.PoolClient, { text, values }: Statement): Promise<number> {
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, [
      ...values,
    ]);
    const read = (node: PlanNode): number => {
      const own =
        node["Relation Name"] === undefined
          ? 0
          : (node["Actual Rows"] +
              (node["Rows Removed by Filter"] ?? 0) +
              (node["Rows Removed by Index Recheck"] ?? 0)) *
            node["Actual Loops"];
      return (node.Plans ?? []).reduce((sum, child) => sum + read(child), own);
    };
    const scans = (node: PlanNode): string[] => [
      ...(node["Node Type"] === "Seq Scan" ? [node["Relation Name"] ?? ""] : []),
      ...(node.Plans ?? []).flatMap(scans),
    ];
    const plan = rows[0]["QUERY PLAN"][0].Plan as PlanNode;
    expect(scans(plan)).not.toContain("documents");
    return read(plan);
  }

  async function costOf(query: Partial<SearchQuery>) {
    const plan = planSearch({ size: 9, ...query }, tokens);
    const client = await pool.connect();
    try {
      await client.query(beginSearch(plan, 60_000));
      const counting = countedPage("search", plan, CAP);
      const [row] = (await client.query(counting.text, [...counting.values])).rows;
      const counted = await rowsRead(client, counting);
      if (row.total <= CAP) return { counted, paged: 0 };
      const paged = await rowsRead(client, uncountedPage("search", plan));
      return { counted, paged };
    } finally {
      await client.query("rollback");
      client.release();
    }
  }

  it.each(
    [
      ["a letter that most texts hold", "e"],
      ["initials", "j"],
      ["every vowel", "a e i o u"],
      ["two letters that most texts hold", "th"],
      ["two letters that none holds beside a word that all hold", "the zq"],
      ["a short word of most texts", "tv"],
      ["the code of the only state", "co"],
      ["a part of all texts", "that"],
      ["twelve parts of all texts", "the and ord said her him tha hat ere ent eve cam"],
      ["a surname of many", "smith"],
      ["a part of a surname of many", "mith"],
      ["a given name of many", "john"],
      ["a name of many", "john smith"],
      ["a rare word", "zither"],
      ["a word whose groups of letters all texts hold", "oldered"],
      ["a word of 200 letters", "x".repeat(200)],
    ].map((each, turn) => [...each, turn] as [string, string, number]),
  )("are a small share of all for %s, in every other sort order", async (_, q, turn) => {
    for (const sort of SORTS.filter((_, n) => (n + turn) % 2)) {
      const { counted, paged } = await costOf({ q, sort });
      expect(counted, sort).toBeLessThanOrEqual(MAX);
      expect(paged, sort).toBeLessThanOrEqual(MAX);
    }
  });

  it("are those of the page, no matter how deep in the list it is", async () => {
    for (const sort of SORTS) {
      const query = { q: "that", sort, size: 200 };
      const { next } = await index.search({ ...query, offset: 3_800 });
      const { paged } = await costOf({ ...query, page: next ?? "" });
      expect(paged, sort).toBeGreaterThan(200);
      expect(paged, sort).toBeLessThanOrEqual(2 * 201 + 10);
    }
  });
});
