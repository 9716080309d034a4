import { randomBytes } from "node:crypto";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { CannotStart } from "../lifecycle/explain-failure.ts";
import { applyMigrations, SchemaMismatch } from "./migrate.ts";

const first = { id: "0001", sql: "create table thing (id int primary key)" };
const second = { id: "0002", sql: "alter table thing add column name text" };

describe("applyMigrations", () => {
  let db: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    db = await freshDatabase();
    pool = new Pool({ connectionString: db.url });
  });
  afterAll(async () => {
    await pool.end();
    await db.drop();
  });

  it("applies each step once, in the given schema, under concurrent calls", async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => applyMigrations(pool, "once", [first])),
    );
    expect(answers.flat()).toEqual(["0001"]);
    expect(await applyMigrations(pool, "once", [first, second])).toEqual(["0002"]);
    await pool.query("insert into once.thing (id, name) values (1, 'a')");
    expect(await applyMigrations(pool, "twice", [first])).toEqual(["0001"]);
  });

  it("only reads if nothing is missing, and explains what to do if its role may not create it", async () => {
    await applyMigrations(pool, "read_only", [first]);
    const reader = `reader_${randomBytes(6).toString("hex")}`;
    await pool.query(`create role ${reader}; grant usage on schema read_only to ${reader};
      grant select on read_only.migration to ${reader}`);
    const asReader = new URL(db.url);
    asReader.searchParams.set("options", `-c role=${reader}`);
    const readers = new Pool({ connectionString: asReader.href });
    try {
      expect(await applyMigrations(readers, "read_only", [first])).toEqual([]);
      const missing = applyMigrations(readers, "read_only", [first, second]);
      await expect(missing).rejects.toThrow(CannotStart);
      await expect(missing).rejects.toThrow("npm run migrate");
      await expect(applyMigrations(readers, "absent", [first])).rejects.toThrow(CannotStart);
    } finally {
      await readers.end();
      await pool.query(`drop owned by ${reader}; drop role ${reader}`);
    }
  });

  it("applies nothing if a step fails", async () => {
    const broken = { id: "0002", sql: "create table other (id int); select 1 / 0" };
    await expect(applyMigrations(pool, "broken", [first, broken])).rejects.toThrow(/zero/);
    const there = await pool.query("select 1 from pg_namespace where nspname = 'broken'");
    expect(there.rowCount).toBe(0);
    const path = await pool.query<{ search_path: string }>("show search_path");
    expect(path.rows[0]?.search_path).not.toContain("broken");
  });

  it("rejects a database of a newer version and an edited step", async () => {
    await applyMigrations(pool, "newer", [first, second]);
    await expect(applyMigrations(pool, "newer", [first])).rejects.toThrow(SchemaMismatch);
    const edited = { ...second, sql: "alter table thing add column title text" };
    await expect(applyMigrations(pool, "newer", [first, edited])).rejects.toThrow(SchemaMismatch);
  });

  it("rejects an unordered list and an invalid name", async () => {
    await expect(applyMigrations(pool, "order", [second, first])).rejects.toThrow(TypeError);
    await expect(applyMigrations(pool, 'x"; drop', [first])).rejects.toThrow(TypeError);
  });
});
