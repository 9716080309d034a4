import { once } from "node:events";
import net from "node:net";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { MAX_APPEND_BYTES } from "../batch.ts";
import {
  batchOfBytes,
  collect,
  events,
  given,
  ids,
  idsOf,
  newStream,
} from "../contract/fixtures.ts";
import { Follower } from "../contract/follower.ts";
import { type EventStore, StoreUnavailable } from "../port.ts";
import {
  createPostgresEventStore,
  installEventStore,
  type PostgresEventStoreOptions,
} from "./postgres-event-store.ts";
import { freshLog, type PostgresLog } from "./postgres-log.fixture.ts";
import { APPEND_LOCK, CHANNEL } from "./schema.ts";

const HOUR = 3_600_000;

describe("the store's connections", () => {
  let log: PostgresLog;
  const opened: EventStore[] = [];
  beforeAll(async () => {
    log = await freshLog();
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  afterAll(() => log.dispose());

  function open(options: Partial<PostgresEventStoreOptions> = {}): EventStore {
    const store = createPostgresEventStore({ connectionString: log.url, ...options });
    opened.push(store);
    return store;
  }

  /** Counts the statements that stores with the name send and that contain a text. */
  function counter(name: string) {
    const query = vi.spyOn(pg.Pool.prototype, "query");
    onTestFinished(() => query.mockRestore());
    return (part: string) =>
      query.mock.calls.filter(
        ([config], call) =>
          (query.mock.contexts[call] as pg.Pool).options.application_name === name &&
          (config as unknown as { text: string }).text.includes(part),
      ).length;
  }

  it("notify a subscriber in another process of an append, without polling", async () => {
    const reader = open({ pollMs: HOUR });
    const writer = open({ pollMs: HOUR });
    const follower = new Follower(reader, await reader.head());
    // Once a notification of one append has arrived, the listener is ready.
    const { stream, position } = await given(writer, events(1));
    await follower.reached(position);
    for (let revision = 0; revision < 20; revision += 1)
      await follower.reached((await writer.append(stream, events(1), revision)).position);
    await follower.stop();
  });

  it("find by polling what no notification announced", async () => {
    const reader = open({ pollMs: 20 });
    const follower = new Follower(reader, await reader.head());
    await follower.until(() => follower.batches.length > 0);
    const client = new pg.Client({ connectionString: log.url });
    await client.connect();
    const batch = events(2);
    const group = [{ stream: newStream(), expected: -1, events: batch }];
    await client.query("select event_log.append($1)", [JSON.stringify(group)]);
    await client.end();
    await follower.until(() => follower.events.length === 2);
    await follower.stop();
    expect(ids(follower.events)).toEqual(ids(batch));
  });

  it("listen again after the listening connection was closed", async () => {
    const reader = open({ pollMs: HOUR, backOff: { minMs: 1, maxMs: 10 } });
    const writer = open();
    const follower = new Follower(reader, await reader.head());
    const { stream, position } = await given(writer, events(1));
    await follower.reached(position);
    const admin = new pg.Client({ connectionString: log.url });
    await admin.connect();
    const ended = await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query ilike 'listen%'`,
    );
    expect(ended.rowCount).toBeGreaterThan(0);
    await admin.end();
    for (let revision = 0; revision < 5; revision += 1)
      await follower.reached((await writer.append(stream, events(1), revision)).position);
    await follower.stop();
    expect(follower.events).toHaveLength(6);
  });

  it("do not loop on a notification that is not theirs", async () => {
    const count = counter("reader");
    const reader = open({ name: "reader", pollMs: HOUR });
    const follower = new Follower(reader, await reader.head());
    const writer = open();
    const { stream, ...first } = await given(writer, events(1));
    await follower.reached(first.position);
    let { revision } = first;
    const more = async (appends: number) => {
      for (let n = 0; n < appends; n += 1) {
        const result = await writer.append(stream, events(1), revision);
        revision = result.revision;
        await follower.reached(result.position);
      }
    };
    // Two appends in a row are announced by notification, so the listener is ready.
    await more(3);
    const client = new pg.Client({ connectionString: log.url });
    await client.connect();
    await client.query("select pg_notify($1, '99999999999999999999')", [CHANNEL]);
    await client.query("select pg_notify($1, 'nonsense')", [CHANNEL]);
    await client.end();
    const before = count("with log as");
    await more(100);
    await follower.stop();
    expect(count("with log as") - before).toBeLessThan(110);
  });

  it("commit concurrent appends together", async () => {
    const count = counter("event-log");
    const store = open();
    const streams = Array.from({ length: 150 }, () => newStream());
    await Promise.all(streams.map((stream) => store.append(stream, events(1), "no_stream")));
    expect(count("event_log.append")).toBeLessThan(5);
    for (const stream of streams.slice(0, 5)) expect(await idsOf(open(), stream)).toHaveLength(1);
  });

  it("send nothing for an append that was abandoned while waiting", async () => {
    const count = counter("event-log");
    const store = open({ timeoutMs: 300 });
    const holder = new pg.Client({ connectionString: log.url });
    await holder.connect();
    await holder.query("select pg_advisory_lock($1)", [APPEND_LOCK]);
    // Five batches of 1 MiB make two groups.
    const big = () => batchOfBytes(MAX_APPEND_BYTES);
    const appends = Array.from({ length: 5 }, () => store.append(newStream(), big(), "no_stream"));
    for (const { status } of await Promise.allSettled(appends)) expect(status).toBe("rejected");
    await store.close();
    expect(count("event_log.append")).toBe(1);
    await holder.end();
  });

  it("report why the server refuses something permanently", async () => {
    const admin = new pg.Client({ connectionString: log.url });
    await admin.connect();
    await admin.query("create database bare_of_events");
    const bare = new URL(log.url);
    bare.pathname = "/bare_of_events";
    const store = open({ connectionString: bare.href });
    await expect(store.head()).rejects.toThrow("does not exist");
    await expect(store.append(newStream(), events(1), "no_stream")).rejects.toThrow("not exist");
    const following = collect(
      store.subscribeAll("0".repeat(20), undefined, { signal: new AbortController().signal }),
    );
    await expect(following).rejects.toThrow("does not exist");
    await store.close();
    await admin.query("drop database bare_of_events with (force)");
    await admin.end();
  });

  it("install once under concurrent calls, and only in UTF-8", async () => {
    const admin = new pg.Client({ connectionString: log.url });
    await admin.connect();
    const make = async (name: string, options: string) => {
      await admin.query(`create database ${name} ${options}`);
      const url = new URL(log.url);
      url.pathname = `/${name}`;
      return url.href;
    };
    const [good, bad] = [
      await make("log_of_many", ""),
      await make("log_in_ascii", "encoding 'SQL_ASCII' locale 'C' template template0"),
    ];
    await Promise.all([1, 2, 3, 4].map(() => installEventStore(good)));
    expect(await open({ connectionString: good }).head()).toBe("0".repeat(20));
    await expect(installEventStore(bad)).rejects.toThrow("UTF8");
    await opened.pop()?.close();
    for (const name of ["log_of_many", "log_in_ascii"])
      await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });

  describe("to a server that is down, or silent", () => {
    let silent: net.Server;
    let silentUrl: string;
    const sockets: net.Socket[] = [];
    beforeAll(async () => {
      silent = net.createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
      await once(silent, "listening");
      silentUrl = `postgres://u:p@127.0.0.1:${(silent.address() as net.AddressInfo).port}/x`;
    });
    afterAll(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });

    it.each(["postgres://u:p@127.0.0.1:1/x", "silent"])(
      "fail within their limit: %s",
      async (url) => {
        const connectionString = url === "silent" ? silentUrl : url;
        const store = open({ connectionString, timeoutMs: 200 });
        const calls = [
          store.append(newStream(), events(1), "no_stream"),
          store.head(),
          idsOf(store, newStream()),
          collect(store.readAll()),
        ];
        for (const call of await Promise.allSettled(calls))
          expect((call as PromiseRejectedResult).reason).toBeInstanceOf(StoreUnavailable);
      },
    );

    it("fail on install", async () => {
      const nowhere = installEventStore("postgres://u:p@127.0.0.1:1/x");
      await expect(nowhere).rejects.toThrow(StoreUnavailable);
    });

    it("still close, including subscriptions", async () => {
      const store = open({ connectionString: silentUrl, timeoutMs: HOUR });
      const following = collect(
        store.subscribeAll("0".repeat(20), undefined, { signal: new AbortController().signal }),
      );
      await new Promise((resolve) => setImmediate(resolve));
      await store.close();
      expect(await following).toEqual([]);
    });
  });
});
