import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { eventually } from "#test-kit/reached-position.ts";
import { copyRows, type RowTable, upsertRows } from "./row-writes.ts";

const table: RowTable = { name: "things.thing", key: "id", lists: ["keys"] };

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await freshDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `create schema things create table thing (id int primary key, name text, keys text[] not null,
       items jsonb, cents bigint, shown boolean, at timestamptz)`,
  );
});
afterAll(async () => {
  await client.end();
  await database.drop();
});
beforeEach(() => client.query("truncate things.thing"));

const rows = async () =>
  (await client.query("select to_json(t) as row from things.thing t order by id")).rows.map(
    ({ row }) => row,
  );

/** Text that PostgreSQL can store, often with characters that have a meaning in its formats. */
const text = fc
  .oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("\\", "\t", "\n", "\r", "N", ".", '"', "{", "}", ",", " ") }),
    fc.constantFrom("\\N", "\\.", "NULL", "null", "", "{}"),
  )
  .map((value) => value.replaceAll("\0", ""));

const row = fc.record({
  name: fc.option(text),
  keys: fc.array(text),
  items: fc.option(fc.array(fc.record({ key: text }))),
  cents: fc.option(fc.maxSafeInteger()),
  shown: fc.option(fc.boolean()),
  at: fc.option(fc.constant("2026-11-21T00:00:00.123Z")),
});

it("stores any text the same with COPY as with JSON", async () => {
  const many = fc
    .array(row, { maxLength: 20 })
    .map((list) => list.map((each, id) => ({ id, ...each })));
  await fc.assert(
    fc.asyncProperty(many, async (given) => {
      await client.query("truncate things.thing");
      await upsertRows(client, table, given);
      const expected = await rows();
      await client.query("truncate things.thing");
      await copyRows(client, table, given);
      expect(await rows()).toEqual(expected);
      expect(expected.map(({ name }) => name)).toEqual(given.map(({ name }) => name));
    }),
    { numRuns: 60 },
  );
});

it("overwrites existing rows with an upsert; COPY refuses them and is rolled back", async () => {
  const thing = { id: 1, name: "old", keys: [], items: null, cents: 1, shown: true, at: null };
  await copyRows(client, table, [thing]);
  await upsertRows(client, table, [{ ...thing, name: "new" }]);
  expect(await rows()).toEqual([{ ...thing, name: "new" }]);
  await client.query("begin");
  const again = copyRows(client, table, [{ ...thing, id: 2 }, thing]);
  await expect(again).rejects.toMatchObject({ code: "23505" });
  await client.query("rollback");
  expect(await rows()).toHaveLength(1);
});

it("fails, and does not hang, when the connection breaks during a COPY", async () => {
  const [copying, other] = [database.url, database.url].map(
    (connectionString) => new pg.Client({ connectionString }),
  ) as [pg.Client, pg.Client];
  await Promise.all([copying.connect(), other.connect()]);
  copying.on("error", () => undefined);
  const { rows: found } = await copying.query("select pg_backend_pid() as pid");
  await other.query("begin; lock table things.thing");
  // It waits for the table until its connection is terminated.
  const copied = copyRows(copying, table, [{ id: 1, keys: [] }]).catch((error) => error);
  await eventually("the COPY waits", async () => {
    const { rowCount } = await client.query(
      "select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'",
      [found[0].pid],
    );
    return rowCount === 1;
  });
  await client.query("select pg_terminate_backend($1)", [found[0].pid]);
  expect(await copied).toBeInstanceOf(Error);
  await other.end();
});
