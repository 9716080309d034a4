import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { collect, event, ids, newStream } from "../contract/fixtures.ts";
import { Follower } from "../contract/follower.ts";
import { startTcpProxy } from "../contract/tcp-proxy.ts";
import { type EventStore, StoreUnavailable } from "../port.ts";
import { ClusterClient } from "./cluster-client.ts";
import { readConnectionString } from "./connection-string.ts";
import { createEventStoreDBEventStore } from "./eventstoredb-event-store.ts";
import { ELECTION_MS, loseLeaders, PROMISED_MS, Writer } from "./testing/lost-leaders.ts";
import { StandInCluster } from "./testing/stand-in-cluster.ts";
import { StandInServer } from "./testing/stand-in-server.ts";

describe("EventStoreDB adapter whose leader hangs", () => {
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

  // Twice in a row, over TLS: deploy/event-store-tls.resilience.test.ts.
  it("moves appends, reads and subscriptions to the next leader in time, without loss or duplicates", async () => {
    await loseLeaders(cluster, open, ["freeze"]);
  });

  it("starts while it hangs, and finds the next one", async () => {
    cluster.freeze(0);
    const frozenAt = performance.now();
    setTimeout(() => cluster.elect(1), ELECTION_MS);
    const writer = new Writer(open());
    await writer.accepts();
    expect(performance.now() - frozenAt).toBeLessThan(PROMISED_MS);
    await writer.stop();
  });

  it("leaves it in a process that only follows the log", async () => {
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

  it("soon reports that there is no leader: calls do not each wait for their whole limit", async () => {
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

describe("EventStoreDB adapter whose only server is behind a silently broken connection", () => {
  it("shares no connection with the client that replaces another one", async () => {
    const server = new StandInServer();
    await server.start();
    const network = await startTcpProxy({ host: "127.0.0.1", port: server.port });
    const parsed = readConnectionString(`esdb://127.0.0.1:${network.port}?tls=false`);
    const clients = [new ClusterClient(parsed), new ClusterClient(parsed)];
    for (const client of clients) await client.readAll({ maxCount: 1 }).toArray();
    expect(network.connections).toBe(2);
    await Promise.all(clients.map((client) => client.leave()));
    await network.close();
    server.kill();
  });

  it("reconnects", async () => {
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
