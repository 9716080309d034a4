import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readConnectionString } from "#event-store/eventstoredb/connection-string.ts";
import { type Compose, type ComposeService, compose, read } from "./testing/compose.ts";

const cluster = parse(await read("docker-compose.cluster.yml"), { merge: true }) as Compose;
const NODES = ["eventstoredb", "eventstoredb-2", "eventstoredb-3"];
/** Base and override as Compose merges them. */
const merged = (name: string): ComposeService => {
  const [base, over] = [compose.services[name], cluster.services[name]];
  return { ...base, ...over, environment: { ...base?.environment, ...over?.environment } };
};

describe("docker-compose.cluster.yml", () => {
  it("has three nodes that look for each other and are known by their own names", () => {
    for (const name of NODES) {
      const { environment = {}, restart, healthcheck, volumes = [] } = merged(name);
      const seeds = environment.EVENTSTORE_GOSSIP_SEED?.split(",").toSorted();
      const others = NODES.filter((each) => each !== name).map((each) => `${each}:2113`);
      expect(seeds, name).toEqual(others.toSorted());
      expect(environment).toMatchObject({
        EVENTSTORE_CLUSTER_SIZE: "3",
        EVENTSTORE_NODE_HOST_ADVERTISE_AS: name,
        EVENTSTORE_REPLICATION_HOST_ADVERTISE_AS: name,
        DOTNET_ThreadPool_ForceMinWorkerThreads: "0x20",
      });
      expect([restart, healthcheck?.test?.[0]]).toEqual(["unless-stopped", "CMD"]);
      // No node writes into the folder of another.
      const data = volumes.map((volume) => volume.split(":")[0]);
      expect(data).toEqual([`${name}-data`, `${name}-logs`]);
      for (const volume of data)
        expect({ ...compose.volumes, ...cluster.volumes }).toHaveProperty([String(volume)]);
    }
  });

  it("runs the nodes in everything else as the one node is run", () => {
    const plain = (name: string) => {
      const { environment: _, volumes: __, ...rest } = merged(name);
      return rest;
    };
    const { environment: _, volumes: __, ...one } = compose.services.eventstoredb ?? {};
    for (const name of NODES) expect(plain(name), name).toEqual(one);
  });

  it("gives the whole cluster to every process that is given the one node", () => {
    const users = Object.entries(compose.services)
      .filter(([, { environment = {} }]) => environment.EVENT_STORE_URL)
      .map(([name]) => name);
    expect(Object.keys(cluster.services).toSorted()).toEqual([...NODES, ...users].toSorted());
    for (const name of users) {
      const { isCluster, options } = readConnectionString(
        String(merged(name).environment?.EVENT_STORE_URL),
      );
      expect(isCluster).toBe(true);
      expect(options.hosts.map(({ address, port }) => `${address}:${port}`)).toEqual(
        NODES.map((node) => `${node}:2113`),
      );
    }
  });
});
