import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { collect, event, events, given, ids, newStream } from "../contract/fixtures.ts";
import { Follower } from "../contract/follower.ts";
import { type EventStore, START } from "../port.ts";
import { Connections, readLogPage, readStreamPage } from "./pages.ts";
import { freshLog, type PostgresLog } from "./postgres-log.fixture.ts";

const MIB = 1_048_576;

describe("pages of the log", () => {
  let log: PostgresLog;
  let store: EventStore;
  let connections: Connections;
  beforeAll(async () => {
    log = await freshLog();
    store = await log.open();
    connections = new Connections(log.url, {
      timeoutMs: 5_000,
      name: "test",
      maxConnections: 2,
    });
  });
  afterAll(async () => {
    await connections.close();
    await store.close();
    await log.dispose();
  });

  it("hold a bounded number of bytes, whatever the events contain", async () => {
    const mark = BigInt(await store.head());
    const stream = newStream();
    for (let n = 0; n < 12; n += 1) {
      const large = event({ text: "x".repeat(MIB - 10_000) });
      await store.append(stream, [large], n === 0 ? "no_stream" : n - 1);
    }
    const options = { backwards: false, limit: 500 };
    const pages = [
      (await readLogPage(connections, mark, undefined, options)).events,
      (await readStreamPage(connections, stream, { ...options, from: 0 })).events,
    ];
    for (const page of pages) {
      expect(page.length).toBeGreaterThanOrEqual(4);
      expect(JSON.stringify(page).length).toBeLessThan(5.1 * MIB);
    }
    const read = await collect(store.readStream(stream));
    expect(read.map(({ revision }) => revision)).toEqual(Array.from({ length: 12 }, (_, n) => n));
  });

  it("find rare events in a long log in both directions, and let a subscription skip the rest", async () => {
    const mark = await store.head();
    const rare: string[] = [];
    const filler = newStream("filler");
    for (let n = 0; n < 26; n += 1) {
      await store.append(filler, events(500), n === 0 ? "no_stream" : n * 500 - 1);
      if (n % 12 !== 0) continue;
      const batch = [event({ n }, "ThingDropped")];
      rare.push(...ids(batch));
      await given(store, batch, newStream("rare"));
    }
    for (const filter of [
      { types: ["ThingDropped"] },
      { types: ["ThingDropped", "ThingLost"] },
      { streamPrefixes: ["rare-"] },
      { streamPrefixes: ["rar"] },
      { streamPrefixes: ["rare-", "none-"] },
    ]) {
      expect(ids(await collect(store.readAll(mark, filter)))).toEqual(rare);
      const back = await collect(store.readAll(undefined, filter, { direction: "backwards" }));
      expect(ids(back).reverse()).toEqual(rare);
      const last = { direction: "backwards", limit: 1 } as const;
      expect(ids(await collect(store.readAll(undefined, filter, last)))).toEqual(rare.slice(-1));
    }
    const follower = new Follower(store, START, { streamPrefixes: ["rare-"] });
    await follower.reached(await store.head());
    await follower.stop();
    expect(ids(follower.events)).toEqual(rare);
    expect(follower.batches.map((batch) => batch.caughtUp).indexOf(true)).toBe(
      follower.batches.length - 1,
    );
  });
});
