import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { events, given, ids, idsOf, newStream } from "../contract/fixtures.ts";
import { type EventStore, InvalidBatch, StoreUnavailable } from "../port.ts";
import { createPostgresEventStore } from "./postgres-event-store.ts";
import { freshLog, type PostgresLog } from "./postgres-log.fixture.ts";
import { APPEND_LOCK } from "./schema.ts";

describe("the append function", () => {
  let log: PostgresLog;
  let store: EventStore;
  let client: pg.Client;
  beforeAll(async () => {
    log = await freshLog();
    store = await log.open();
    client = new pg.Client({ connectionString: log.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await store.close();
    await log.dispose();
  });

  const append = (stream = newStream(), batch = events(1)) =>
    client.query("select * from event_log.append($1)", [
      JSON.stringify([{ stream, expected: -1, events: batch }]),
    ]);

  it.each([
    ["off", "on"],
    ["local", "on"],
    ["on", "on"],
    ["remote_apply", "remote_apply"],
  ])("commits under synchronous_commit = %s as %s", async (set, expected) => {
    await client.query("begin");
    await client.query(`set local synchronous_commit = ${set}`);
    await append();
    const { rows } = await client.query("show synchronous_commit");
    await client.query("commit");
    expect(rows).toEqual([{ synchronous_commit: expected }]);
  });

  it.each(["repeatable read", "serializable"])("refuses the isolation level %s", async (level) => {
    await client.query(`begin isolation level ${level}`);
    await expect(append()).rejects.toThrow("READ COMMITTED");
    await client.query("rollback");
  });

  it("assigns positions without gaps, even after an append was rolled back", async () => {
    const before = BigInt(await store.head());
    await client.query("begin");
    await append(newStream(), events(3));
    await client.query("rollback");
    const { position } = await given(store, events(2));
    expect(BigInt(position)).toBe(before + 2n);
  });

  it("uses indexes on a large table, with plans made while it was empty", async () => {
    const { rows } = await client.query<{ proconfig: string[] }>(
      "select proconfig from pg_proc where oid = 'event_log.append'::regproc",
    );
    expect(rows[0]?.proconfig).toEqual(
      expect.arrayContaining(["enable_seqscan=off", "enable_hashjoin=off", "enable_mergejoin=off"]),
    );
    await given(store, events(500));
    await client.query("select pg_stat_reset_single_table_counters('event_log.event'::regclass)");
    for (let n = 0; n < 10; n += 1) await append();
    await client.query("select pg_stat_force_next_flush()");
    const scans = await client.query<{ seq_scan: string; idx_scan: string }>(
      "select seq_scan, idx_scan from pg_stat_user_tables where relname = 'event'",
    );
    expect(scans.rows[0]?.seq_scan).toBe("0");
    expect(Number(scans.rows[0]?.idx_scan)).toBeGreaterThan(0);
  });

  it("refuses an id from another stream", async () => {
    const batch = events(2);
    await given(store, batch);
    const other = newStream();
    await expect(store.append(other, batch, "no_stream")).rejects.toThrow(InvalidBatch);
    const mixed = [...events(1), ...batch.slice(0, 1)];
    await expect(store.append(other, mixed, "no_stream")).rejects.toThrow(InvalidBatch);
    expect(await idsOf(store, other)).toEqual([]);
  });

  describe("while another session holds its lock", () => {
    const held = async (work: (impatient: EventStore) => Promise<void>) => {
      const impatient = createPostgresEventStore({ connectionString: log.url, timeoutMs: 1500 });
      await client.query("select pg_advisory_lock($1)", [APPEND_LOCK]);
      try {
        await work(impatient);
      } finally {
        await client.query("select pg_advisory_unlock_all()");
        await impatient.close();
      }
    };

    it("makes the store report an unknown outcome, and accepts the same batch later", async () => {
      const stream = newStream();
      const batch = events(2);
      await held(async (impatient) => {
        const waiting = impatient.append(stream, batch, "no_stream");
        await expect(waiting).rejects.toThrow(StoreUnavailable);
        expect(await idsOf(impatient, stream)).toEqual([]);
      });
      await store.append(stream, batch, "no_stream");
      expect(await idsOf(store, stream)).toEqual(ids(batch));
    });

    it("stops waiting on the server when the store has given up", async () => {
      await held(async (impatient) => {
        const waiting = impatient.append(newStream(), events(1), "no_stream");
        await expect(waiting).rejects.toThrow(StoreUnavailable);
        let left = "1";
        while (left !== "0") {
          const { rows } = await client.query<{ n: string }>(
            `select count(*) as n from pg_locks
             where locktype = 'advisory' and not granted
               and database = (select oid from pg_database where datname = current_database())`,
          );
          left = rows[0]?.n as string;
        }
      });
    });

    it("limits the bytes of waiting appends", async () => {
      await held(async (impatient) => {
        const big = () => events(1).map((item) => ({ ...item, data: { text: "x".repeat(1e6) } }));
        const outcomes = await Promise.allSettled(
          Array.from({ length: 80 }, () => impatient.append(newStream(), big(), "no_stream")),
        );
        const reasons = outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason);
        expect(reasons.every((reason) => reason instanceof StoreUnavailable)).toBe(true);
        const full = reasons.filter(({ message }) =>
          message.includes("too many appends are waiting"),
        );
        expect(full.length).toBeGreaterThan(5);
        expect(full.length).toBeLessThan(25);
      });
      await given(store, events(1));
    });

    it("lets at most 5000 appends wait, however small", async () => {
      await held(async (impatient) => {
        const [small] = [events(1)];
        const outcomes = await Promise.allSettled(
          Array.from({ length: 5_100 }, () => impatient.append(newStream(), small, "no_stream")),
        );
        const reasons = outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason);
        expect(reasons.every((reason) => reason instanceof StoreUnavailable)).toBe(true);
        const full = reasons.filter(({ message }) =>
          message.includes("too many appends are waiting"),
        );
        expect(full).toHaveLength(100);
      });
      await given(store, events(1));
    });
  });
});

describe("the event table", () => {
  let log: PostgresLog;
  let pool: pg.Pool;
  beforeAll(async () => {
    log = await freshLog();
    const store = await log.open();
    await given(store, events(2), "report-1");
    await store.close();
    pool = new pg.Pool({ connectionString: log.url, max: 1 });
  });
  afterAll(async () => {
    await pool.end();
    await log.dispose();
  });

  const row = "(9, gen_random_uuid(), 'report-1', 0, 'ThingNoted', '{}', '{}', 1)";
  const changes = [
    "update event_log.event set data = '{}'",
    "update event_log.event set position = position + 10 where false",
    "delete from event_log.event where stream = 'report-1'",
    "truncate event_log.event",
    `insert into event_log.event values ${row}
     on conflict (stream, revision) do update set data = excluded.data`,
    `merge into event_log.event e using (select 'report-1' as stream) s on e.stream = s.stream
     when matched then delete`,
  ];

  it.each(changes)("refuses: %s", async (change) => {
    await expect(pool.query(change)).rejects.toThrow("append-only");
  });

  it.each(changes)("refuses even in a session without triggers: %s", async (change) => {
    await pool.query("set session_replication_role = replica");
    await expect(pool.query(change)).rejects.toThrow("append-only");
    await pool.query("reset session_replication_role");
  });

  it("still contains what was stored", async () => {
    const { rows } = await pool.query("select data::text from event_log.event order by position");
    expect(rows).toEqual([{ data: '{"n":0}' }, { data: '{"n":1}' }]);
  });
});
