import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { freshDatabase } from "./database.ts";
import { startOwnServer } from "./own-server.ts";

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe("freshDatabase", () => {
  it("gives every caller its own empty database", async () => {
    const [one, two] = await Promise.all([freshDatabase(), freshDatabase()]);
    await query(one.url, "create table t (n int)");
    await expect(query(two.url, "select * from t")).rejects.toThrow(/does not exist/);
    await Promise.all([one.drop(), two.drop()]);
    await expect(query(one.url, "select 1")).rejects.toThrow(/does not exist/);
  });

  it("sorts by code point, whatever the machine's locale", async () => {
    const db = await freshDatabase();
    const rows = await query(
      db.url,
      "select x from unnest(array['b','a','B','é','Z']) x order by x",
    );
    expect(rows.map((row) => (row as { x: string }).x)).toEqual(["B", "Z", "a", "b", "é"]);
    await db.drop();
  });
});

describe("startOwnServer", async () => {
  const server = await startOwnServer();
  afterAll(() => server.dispose());

  it("keeps its address and data across a stop and a crash", async () => {
    await query(server.url, "create table t (n int)");
    await server.stop();
    await expect(query(server.url, "select 1")).rejects.toThrow(/ECONNREFUSED/);
    await server.start();
    await query(server.url, "insert into t values (1); checkpoint");
    await server.kill();
    await server.start();
    expect(await query(server.url, "select n from t")).toEqual([{ n: 1 }]);
  });
});
