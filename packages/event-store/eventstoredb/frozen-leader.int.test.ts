import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { collect, event, ids, newStream } from "../contract/fixtures.ts";
import { Follower } from "../contract/follower.ts";
import { startTcpProxy } from "../contract/tcp-proxy.ts";
import { StoreUnavailable } from "../errors.ts";
import type { EventStore, EventToAppend } from "../port.ts";
import { createEventStoreDBEventStore } from "./eventstoredb-event-store.ts";
import { StandInCluster } from "./testing/stand-in-cluster.ts";
import { StandInServer } from "./testing/stand-in-server.ts";

/** From the freeze to the next accepted append, in milliseconds. */
const PROMISED_MS = 8_000;
/** The followers name the frozen leader for so long, as those of a real cluster do. */
const ELECTION_MS = 3_000;

/** Appends one event after another until it is stopped, each with as many attempts as it takes. */
class Writer {
  readonly stream = newStream();
  readonly accepted: EventToAppend[] = [];
  readonly #store: EventStore;
  readonly #done: Promise<void>;
  #stopped = false;
  #onAccepted = Promise.withResolvers<void>();

  constructor(store: EventStore) {
    this.#store = store;
    this.#done = this.#run();
  }

  /** Resolves when one more event has been accepted, begun before or after. */
  accepts(): Promise<void> {
    return this.#onAccepted.promise;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const next = event();
      const last = this.accepted.length - 1;
      await this.#append(next, last < 0 ? "no_stream" : last);
      this.accepted.push(next);
      this.#onAccepted.resolve();
      this.#onAccepted = Promise.withResolvers<void>();
    }
  }

  async #append(next: EventToAppend, expected: number | "no_stream"): Promise<void> {
    for (;;) {
      try {
        await this.#store.append(this.stream, [next], expected);
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        await delay(50);
      }
    }
  }
}

describe("EventStoreDB adapter whose leader stands still", () => {
  let cluster: StandInCluster;
  const opened: EventStore[] = [];

  beforeEach(async () => {
    cluster = new StandInCluster();
    await cluster.start();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
    await cluster.close();
  });

  function open(options = {}): EventStore {
    const store = createEventStoreDBEventStore({ connectionString: cluster.url, ...options });
    opened.push(store);
    return store;
  }

  it.each([1, 2])(
    "moves appends, reads and subscriptions to the next leader in time, and loses or doubles nothing: round of %i",
    async (rounds) => {
      const follower = new Follower(open(), await open().head());
      const writers = Array.from({ length: 8 }, () => new Writer(open()));
      await Promise.all(writers.map((writer) => writer.accepts()));
      for (let round = 0; round < rounds; round += 1) {
        // Some appends are stored there and never acknowledged.
        cluster.loseAnswers(round);
        await delay(50);
        cluster.freeze(round);
        const frozenAt = performance.now();
        setTimeout(() => cluster.elect(round + 1), ELECTION_MS);
        await Promise.all(writers.map((writer) => writer.accepts()));
        expect(performance.now() - frozenAt).toBeLessThan(PROMISED_MS);
        // gRPC cannot end these: what was used, and one for each search that met the node.
        expect(cluster.connections(round)).toBeLessThanOrEqual(3);
        cluster.thaw(round);
      }
      await Promise.all(writers.map((writer) => writer.stop()));
      const store = open();
      await follower.reached(await store.head());
      await follower.stop();
      for (const { stream, accepted } of writers) {
        expect(ids(await collect(store.readStream(stream)))).toEqual(ids(accepted));
        expect(ids(follower.events.filter((each) => each.stream === stream))).toEqual(
          ids(accepted),
        );
      }
    },
  );

  it("is begun with, and finds the next one", async () => {
    cluster.freeze(0);
    const frozenAt = performance.now();
    setTimeout(() => cluster.elect(1), ELECTION_MS);
    const writer = new Writer(open());
    await writer.accepts();
    expect(performance.now() - frozenAt).toBeLessThan(PROMISED_MS);
    await writer.stop();
  });

  it("is left by a process that only follows the log", async () => {
    const reader = open({ pollMs: 100 });
    const follower = new Follower(reader, await reader.head());
    await follower.until(() => follower.batches.length > 0);
    cluster.freeze(0);
    const frozenAt = performance.now();
    cluster.elect(1);
    const position = await appendElsewhere(cluster);
    await follower.reached(position);
    expect(performance.now() - frozenAt).toBeLessThan(PROMISED_MS);
    await follower.stop();
  });

  it("is told of soon where no leader is found: calls do not each wait for their whole limit", async () => {
    const store = open({ timeoutMs: 1_000 });
    await store.head();
    cluster.freeze(0);
    await expect(store.head()).rejects.toThrow(StoreUnavailable);
    await delay(2_500);
    const askedAt = performance.now();
    await expect(store.head()).rejects.toThrow(StoreUnavailable);
    expect(performance.now() - askedAt).toBeLessThan(900);
    cluster.elect(2);
    const writer = new Writer(store);
    await writer.accepts();
    await writer.stop();
  });
});

describe("EventStoreDB adapter whose one server is behind a connection that broke silently", () => {
  it("connects anew", async () => {
    const server = new StandInServer();
    await server.start();
    const network = await startTcpProxy({ host: "127.0.0.1", port: server.port });
    const store = createEventStoreDBEventStore({
      connectionString: `esdb://127.0.0.1:${network.port}?tls=false`,
      timeoutMs: 1_000,
    });
    const writer = new Writer(store);
    await writer.accepts();
    network.swallow();
    const brokenAt = performance.now();
    await delay(700);
    // Old connections stay broken.
    network.restore();
    await writer.accepts();
    expect(performance.now() - brokenAt).toBeLessThan(PROMISED_MS);
    await writer.stop();
    expect(ids(await collect(store.readStream(writer.stream)))).toEqual(ids(writer.accepted));
    await store.close();
    await network.close();
    server.kill();
  });
});

async function appendElsewhere({ log }: StandInCluster): Promise<string> {
  const own = new StandInServer(log);
  await own.start();
  const store = createEventStoreDBEventStore({ connectionString: own.url });
  const { position } = await store.append(newStream(), [event()], "no_stream");
  await store.close();
  own.kill();
  return position;
}
