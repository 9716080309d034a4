import type pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startTcpProxy, type TcpProxy } from "#event-store/contract/tcp-proxy.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { inTransaction } from "./migrate.ts";
import {
  createClient,
  DatabaseBusy,
  isDatabaseUnavailable,
  openPool,
  type PoolOptions,
} from "./pool.ts";

let database: TestDatabase;
let network: TcpProxy;
let url: string;

beforeAll(async () => {
  database = await freshDatabase();
  const { hostname, port } = new URL(database.url);
  network = await startTcpProxy({ host: hostname, port: Number(port) });
  const through = new URL(database.url);
  through.port = String(network.port);
  url = through.href;
});
afterEach(() => network.restore());
afterAll(async () => {
  await network.close();
  await database.drop();
});

function open(options: Partial<PoolOptions> = {}): pg.Pool {
  const pool = openPool({ url, name: "pool test", max: 1, statementMs: 300, ...options });
  onTestFinished(() => pool.end());
  return pool;
}

const answers = async (pool: pg.Pool) => (await pool.query("select 'an answer' as a")).rows;
const theAnswer = [{ a: "an answer" }];

/** Waits until one of these pools' connections runs a statement containing this text. */
async function running(text: string): Promise<void> {
  const observer = createClient({ url: database.url, name: "observer" });
  await observer.connect();
  try {
    const found = async () => {
      const { rows } = await observer.query(
        `select 1 from pg_stat_activity where application_name = 'pool test'
           and state = 'active' and query like $1`,
        [`%${text}%`],
      );
      return rows.length;
    };
    await expect.poll(found).toBe(1);
  } finally {
    await observer.end();
  }
}

describe("a pool", () => {
  it("makes the server cancel a slow statement, and keeps using the connection", async () => {
    const pool = open();
    const client = await pool.connect();
    const pid = "select pg_backend_pid() as pid";
    const before = (await client.query(pid)).rows;
    await expect(client.query("select pg_sleep(60)")).rejects.toMatchObject({ code: "57014" });
    client.release();
    expect((await pool.query(pid)).rows).toEqual(before);
  });

  it("reports a cancelled statement as temporary", async () => {
    const error = await open()
      .query("select pg_sleep(60)")
      .catch((cause) => cause);
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  describe("over a network that drops every packet", () => {
    it.each([
      ["a query of the pool", (pool: pg.Pool) => pool.query("select 1")],
      [
        "a client that somebody checked out, and gives back",
        async (pool: pg.Pool) => {
          const client = await pool.connect();
          try {
            await client.query("select 1");
          } finally {
            client.release();
          }
        },
      ],
      ["a transaction", (pool: pg.Pool) => inTransaction(pool, (c) => c.query("select 1"))],
    ])("gives up %s on an idle connection, and recovers", async (_what, work) => {
      const pool = open();
      expect(await answers(pool)).toEqual(theAnswer);
      network.swallow();
      const error = await work(pool).catch((cause: unknown) => cause);
      expect(isDatabaseUnavailable(error)).toBe(true);
      network.restore();
      expect(await answers(pool)).toEqual(theAnswer);
    });

    it.each([false, true])(
      "gives up during a query, prepared (%s), and recovers",
      async (prepares) => {
        const pool = open({ prepares, statementMs: 3_000 });
        const query = pool.query("select pg_sleep($1)", [60]).catch((cause: unknown) => cause);
        await running("pg_sleep($1)");
        network.swallow();
        expect(isDatabaseUnavailable(await query)).toBe(true);
        network.restore();
        expect(await answers(pool)).toEqual(theAnswer);
      },
    );

    it("gives up while connecting, and recovers", async () => {
      network.swallow();
      const pool = open({ connectMs: 200 });
      for (const call of await Promise.allSettled([answers(pool), answers(pool)]))
        expect(isDatabaseUnavailable((call as PromiseRejectedResult).reason)).toBe(true);
      network.restore();
      expect(await answers(pool)).toEqual(theAnswer);
    });
  });

  it("survives the server closing a checked-out connection", async () => {
    const pool = open();
    const client = await pool.connect();
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const ended = new Promise<void>((resolve) => client.once("end", resolve));
    const other = open();
    await other.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
    // Without an error listener, this would end the process.
    await ended;
    await expect(client.query("select 1")).rejects.toThrow();
    client.release();
    expect(await answers(pool)).toEqual(theAnswer);
  });

  it("limits the number of waiting calls", async () => {
    const pool = open({ statementMs: 5_000 });
    const client = await pool.connect();
    const waiting = Array.from({ length: 1_000 }, () => answers(pool));
    const one = await answers(pool).catch((error: unknown) => error);
    expect(one).toBeInstanceOf(DatabaseBusy);
    expect(isDatabaseUnavailable(one)).toBe(true);
    await expect(pool.connect()).rejects.toThrow(DatabaseBusy);
    client.release();
    for (const call of await Promise.all(waiting)) expect(call).toEqual(theAnswer);
  });

  it("sets its application name", async () => {
    const { rows } = await open().query("show application_name");
    expect(rows).toEqual([{ application_name: "pool test" }]);
  });
});

describe("a long transaction", () => {
  it("may run longer than other statements of its pool, which keep their limit", async () => {
    const pool = open();
    const slow = "select pg_sleep(1.5)";
    await expect(inTransaction(pool, (client) => client.query(slow))).rejects.toThrow();
    await inTransaction(pool, (client) => client.query(slow), { isLong: true });
    await expect(pool.query(slow)).rejects.toMatchObject({ code: "57014" });
  });

  it("leaves nothing behind when it fails", async () => {
    const pool = open();
    const work = async (client: pg.ClientBase) => {
      await client.query("create table left_behind ()");
      throw new Error("on purpose");
    };
    for (const isLong of [false, true]) {
      await expect(inTransaction(pool, work, { isLong })).rejects.toThrow("on purpose");
      const { rows } = await pool.query("select to_regclass('left_behind') as found");
      expect(rows).toEqual([{ found: null }]);
    }
  });
});
