import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { verifyLog } from "../audit-verify.ts";
import { chainEvents, GENESIS_HASH } from "../batch.ts";
import {
  collect,
  draft,
  event,
  events,
  given,
  ids,
  idsOf,
  newStream,
} from "../contract/fixtures.ts";
import { Follower } from "../contract/follower.ts";
import { type EventStore, formatPosition, InvalidBatch } from "../port.ts";
import {
  createEventStoreDBEventStore,
  type EventStoreDBOptions,
} from "./eventstoredb-event-store.ts";
import { StandInServer } from "./testing/stand-in-server.ts";

/** EventStoreDB's peculiarities, played by a stand-in, with the real client. */
describe("EventStoreDB adapter on a stand-in server that", () => {
  const server = new StandInServer();
  const opened: EventStore[] = [];
  let store: EventStore;

  beforeAll(async () => {
    await server.start();
    store = open();
  });
  afterEach(async () => {
    server.silent = false;
    for (const each of opened.splice(1)) await each.close();
  });
  afterAll(async () => {
    for (const each of opened) await each.close();
    server.kill();
  });

  function open(options: Partial<EventStoreDBOptions> = {}): EventStore {
    const backOff = { minMs: 1, maxMs: 20 };
    const each = createEventStoreDBEventStore({
      connectionString: server.url,
      backOff,
      ...options,
    });
    opened.push(each);
    return each;
  }

  /** Appends without the adapter. */
  function write(stream: string, type: string, contentType: string, data: string): void {
    const id = crypto.randomUUID();
    const event = { id, type, contentType, data: Buffer.from(data), metadata: Buffer.from("") };
    server.log.append(stream, "any", [event]);
  }

  describe("compares ids only", () => {
    it("is not trusted: the same ids with other content are refused", async () => {
      const [first, second] = events(2) as [ReturnType<typeof event>, ReturnType<typeof event>];
      const { stream, position } = await given(store, [first, second]);
      const forged = { ...first, data: { note: "forged" } };
      const appending = open().append(stream, [forged, second], "no_stream");
      await expect(appending).rejects.toThrow(InvalidBatch);
      const [stored] = await collect(store.readStream(stream));
      expect(stored?.data).toEqual(first.data);
      expect(await store.head()).toBe(position);
    });

    it("and not at the end of a stream: repeated ids are refused first", async () => {
      const batch = events(3);
      const { stream } = await given(store, batch);
      const fresh = open();
      await expect(fresh.append(stream, [event(), ...batch.slice(1, 2)], 2)).rejects.toThrow(
        InvalidBatch,
      );
      expect(await idsOf(store, stream)).toEqual(ids(batch));
    });
  });

  describe("holds events of other systems", () => {
    it("returns only those of the log, forwards, backwards and live", async () => {
      const mark = await store.head();
      const follower = new Follower(store, mark);
      const stream = newStream();
      const batch = events(12);
      for (const [index, item] of batch.entries())
        await store.append(stream, [item], index === 0 ? "no_stream" : index - 1);
      const between = server.log.records.filter(({ position }) => formatPosition(position) > mark);
      expect(between.filter(({ type }) => type.startsWith("$")).length).toBeGreaterThan(0);
      expect(between.some((record) => record.stream === "Shop_Orders")).toBe(true);
      await follower.reached(await store.head());
      await follower.stop();
      expect(ids(follower.events)).toEqual(ids(batch));
      expect(ids(await collect(store.readAll(mark)))).toEqual(ids(batch));
      const back = store.readAll(undefined, undefined, { direction: "backwards", limit: 12 });
      expect(ids(await collect(back)).reverse()).toEqual(ids(batch));
    });

    it("has an event of the log as its head, however much the system writes after it", async () => {
      const { position } = await given(store, events(1));
      const follower = new Follower(store, position);
      await follower.until(() => follower.batches.length > 0);
      for (let n = 0; n < 700; n += 1)
        write("$stats-1", "$statsCollected", "application/json", "{}");
      expect(await store.head()).toBe(position);
      const { position: next } = await given(store, events(1));
      await follower.reached(next);
      await follower.stop();
      expect(follower.batches.map((batch) => batch.position)).toEqual([position, next]);
    });

    it("shows no system stream", async () => {
      write("$secret", "$x", "application/json", "{}");
      expect(await collect(store.readStream("$secret"))).toEqual([]);
    });

    it("shows the audit what was written to a stream against the log's rules", async () => {
      const own = open();
      const stream = newStream();
      await own.append(stream, chainEvents(stream, 0, GENESIS_HASH, [draft()]), "no_stream");
      write(stream, "ThingNoted", "application/octet-stream", "not JSON");
      const [, alien] = await collect(own.readStream(stream));
      expect(alien).toMatchObject({ revision: 1, metadata: {}, data: "bm90IEpTT04=" });
      const { fault } = await verifyLog({
        ...own,
        readAll: () => own.readStream(stream),
      } as unknown as EventStore);
      expect(fault).toMatchObject({ stream, revision: 1, reason: "wrong_hash" });
    });
  });

  describe("answers UnknownError for a position between two records", () => {
    it("is still read from there, in both directions", async () => {
      const { position } = await given(store, events(1));
      const { stream } = await given(store, events(3));
      const later = await idsOf(store, stream);
      const between = formatPosition(BigInt(position) + 1n);
      expect(ids(await collect(store.readAll(between)))).toEqual(later);
      const direction = "backwards";
      const [before] = await collect(store.readAll(between, undefined, { direction, limit: 1 }));
      expect(before?.position).toBe(position);
      const follower = new Follower(store, between, { types: ["ThingNoted"] });
      await follower.reached(await store.head());
      await follower.stop();
      expect(ids(follower.events)).toEqual(later);
    });
  });

  describe("drops subscriptions", () => {
    let own: StandInServer;
    let reader: EventStore;
    let follower: Follower;
    const backOff = { minMs: 1, maxMs: 20 };

    /** Starts a subscriber on its own server and waits until its subscription is established. */
    async function follow(pollMs: number): Promise<void> {
      own = new StandInServer();
      await own.start();
      reader = createEventStoreDBEventStore({ connectionString: own.url, backOff, pollMs });
      follower = new Follower(reader, await reader.head());
      await own.subscribed(1);
    }
    /** Appends as another process would, so that only the server can report it. */
    async function appendElsewhere(batch: ReturnType<typeof events>): Promise<string> {
      const writer = createEventStoreDBEventStore({ connectionString: own.url });
      const { position } = await given(writer, batch);
      await writer.close();
      return position;
    }
    afterEach(async () => {
      await follower.stop();
      await reader.close();
      own.kill();
    });

    it.each(["too_slow", "ended"] as const)("is resubscribed to without loss: %s", async (how) => {
      // Polling does not help here: the pause is longer than the test.
      await follow(3_600_000);
      const appended: string[] = [];
      for (let round = 1; round <= 3; round += 1) {
        const batch = events(3);
        appended.push(...ids(batch));
        await follower.reached(await appendElsewhere(batch));
        own.endSubscriptions(how);
        await own.subscribed(round + 1);
      }
      const last = events(1);
      await follower.reached(await appendElsewhere(last));
      expect(ids(follower.events)).toEqual([...appended, ...ids(last)]);
    });

    it("or goes silent: polling finds what was missed, and a new subscription replaces it", async () => {
      await follow(20);
      own.muteSubscriptions();
      await follower.reached(await appendElsewhere(events(2)));
      await own.subscribed(2);
      expect(follower.events).toHaveLength(2);
    });
  });

  describe("filters subscriptions, but not reads", () => {
    it("sends a subscriber that is far behind no more than it asks for", async () => {
      const mark = await store.head();
      const wanted = newStream("wanted");
      const stream = newStream();
      const { position } = await given(store, events(2), wanted);
      for (let n = 0; n < 20; n += 1)
        await store.append(stream, events(100), n === 0 ? "no_stream" : n * 100 - 1);
      const late = await store.append(wanted, events(1), 1);
      const own = open({ scanBytes: 10_000 });
      await own.head();
      const sent = server.eventsSent;
      const follower = new Follower(own, mark, { streamPrefixes: ["wanted-"] });
      await follower.reached(late.position);
      await follower.stop();
      expect(follower.events.map((item) => item.position)).toContain(position);
      expect(follower.events).toHaveLength(3);
      expect(server.eventsSent - sent).toBeLessThan(200);
    });

    it("is read instead when its subscription stays silent", async () => {
      const mark = await store.head();
      const { position } = await given(store, events(40), newStream("heard"));
      await given(store, events(40));
      server.silent = true;
      const own = open({ scanBytes: 100, timeoutMs: 200, pollMs: 20 });
      const follower = new Follower(own, mark, { streamPrefixes: ["heard-"] });
      await follower.reached(position);
      await follower.stop();
      expect(follower.events).toHaveLength(40);
    });
  });

  describe("shares one client among all stores of a process", () => {
    it("fails no append of one store when another is closed", async () => {
      const [one, other] = [open(), open()];
      const streams = Array.from({ length: 30 }, () => newStream());
      const appends = streams.map((stream) => other.append(stream, events(2), "no_stream"));
      await one.close();
      await Promise.all(appends);
    });
  });
});
