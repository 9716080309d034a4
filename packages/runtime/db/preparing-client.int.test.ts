import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { PreparingClient } from "./pool.ts";

// Server messages: https://www.postgresql.org/docs/current/protocol-message-formats.html
/** AuthenticationOk and ReadyForQuery. */
const READY = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73]);
/** An ErrorResponse with code 57P01, which a server sends on shutdown. */
const FATAL = Buffer.concat([Buffer.from([69, 0, 0, 0, 12]), Buffer.from("C57P01\0\0")]);

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await freshDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1, Client: PreparingClient });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function prepared(): Promise<string[]> {
  const { rows } = await pool.query<{ statement: string }>(
    "select statement from pg_prepared_statements order by prepare_time",
  );
  return rows.map(({ statement }) => statement);
}

describe("a preparing client", () => {
  it("prepares each statement with parameters once, in every call form", async () => {
    const [first, second] = ["select $1::int + 1 as n", "select $1::int + 2 as n"];
    for (const n of [1, 2]) {
      expect((await pool.query(first, [n])).rows).toEqual([{ n: n + 1 }]);
      expect((await pool.query({ text: second, values: [n] })).rows).toEqual([{ n: n + 2 }]);
    }
    await pool.query("select 1");
    expect(await prepared()).toEqual([first, second]);
  });

  it("keeps a statement's own name", async () => {
    await pool.query({ name: "mine", text: "select $1::text", values: ["a"] });
    const { rows } = await pool.query("select 1 from pg_prepared_statements where name = 'mine'");
    expect(rows).toHaveLength(1);
  });

  it("leaves objects that submit themselves unchanged", async () => {
    const client = await pool.connect();
    const query = new pg.Query("select $1::int as n", [1]);
    const rows: unknown[] = [];
    query.on("row", (row) => rows.push(row));
    client.query(query);
    // Statements on one connection run in order.
    await client.query("select 1");
    expect(rows).toEqual([{ n: 1 }]);
    client.release();
  });

  it("uses the current table after tables are swapped under one name", async () => {
    await pool.query("create schema rows; create table rows.t as select 'old' as v");
    const look = async () =>
      (await pool.query("select v from rows.t where v <> $1", ["x"])).rows.map(({ v }) => v);
    for (let i = 0; i < 8; i += 1) expect(await look()).toEqual(["old"]);
    const other = new pg.Client(database.url);
    await other.connect();
    await other.query("create schema rows_next; create table rows_next.t as select 'new' as v");
    await other.query(
      "begin; alter schema rows rename to rows_old; alter schema rows_next rename to rows; commit",
    );
    expect(await look()).toEqual(["new"]);
    await other.query("drop schema rows_old cascade");
    await other.end();
    expect(await look()).toEqual(["new"]);
  });

  it("plans no scan of a whole table just because it is still small", async () => {
    await pool.query("create table grown (id int primary key, v text)");
    await pool.query("insert into grown select 1, 'first'");
    await pool.query("analyze grown");
    const { rows } = await pool.query("explain (costs off) select v from grown where id = 1");
    expect(JSON.stringify(rows)).toContain("Index Scan");
  });

  it("fails to connect like any client", async () => {
    const url = new URL(database.url);
    url.pathname = "/there-is-none";
    const client: pg.Client = new PreparingClient(url.href);
    await expect(client.connect()).rejects.toMatchObject({ code: "3D000" });
    const poolOfNone = new pg.Pool({ connectionString: url.href, Client: PreparingClient });
    await expect(poolOfNone.query("select 1")).rejects.toMatchObject({ code: "3D000" });
    await poolOfNone.end();
  });

  it.each([
    ["while it is set up", READY, "Connection terminated unexpectedly"],
    ["in the moment it is there", Buffer.concat([READY, FATAL]), /not queryable/],
  ])("reports only the lost connection when it breaks %s", async (_when, greeting, message) => {
    const server = createServer((socket) => {
      socket.once("data", () => {
        socket.write(greeting);
        socket.once("data", () => socket.destroy());
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const broken = new pg.Pool({ host: "127.0.0.1", port, Client: PreparingClient });
    await expect(broken.query("select 1")).rejects.toThrow(message);
    await broken.end();
    server.close();
    await once(server, "close");
  });
});
