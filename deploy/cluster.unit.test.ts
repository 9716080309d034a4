import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConnectionString } from "#event-store/eventstoredb/connection-string.ts";
import { type ComposeService, cluster, compose, makeSettledSecrets } from "./testing/compose.ts";

let secrets: string;
beforeAll(async () => {
  secrets = await mkdtemp(path.join(os.tmpdir(), "registry-cluster-"));
  await makeSettledSecrets(secrets);
});
afterAll(() => rm(secrets, { recursive: true }));

const NODES = ["eventstoredb", "eventstoredb-2", "eventstoredb-3"];
/** The base and override as merged by Compose. */
const merged = (name: string): ComposeService => {
  const [base, over] = [compose.services[name], cluster.services[name]];
  return { ...base, ...over, environment: { ...base?.environment, ...over?.environment } };
};

describe("docker-compose.cluster.yml", () => {
  it("has three nodes that discover each other and are known by their own names", () => {
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
      // No node writes to another's folder.
      const data = volumes.map((volume) => volume.split(":")[0]);
      expect(data).toEqual([`${name}-data`, `${name}-logs`]);
      for (const volume of data)
        expect({ ...compose.volumes, ...cluster.volumes }).toHaveProperty([String(volume)]);
    }
  });

  it("repeats no list of docker-compose.yml, because Compose would duplicate every item", () => {
    const lists = Object.entries(cluster.services).flatMap(([name, service]) =>
      Object.entries(service)
        .filter(([key, value]) => Array.isArray(value) && key in (compose.services[name] ?? {}))
        .map(([key]) => `${name}.${key}`),
    );
    expect(lists).toEqual([]);
  });

  it("runs the nodes otherwise like the single node", () => {
    const plain = (name: string) => {
      const { environment: _, volumes: __, ...rest } = merged(name);
      return rest;
    };
    const { environment: _, volumes: __, ...one } = compose.services.eventstoredb ?? {};
    for (const name of NODES) expect(plain(name), name).toEqual(one);
  });

  it("gives the whole cluster to every process that uses the single node", async () => {
    expect(Object.keys(cluster.services).toSorted()).toEqual(NODES);
    const nodes = { event_store_url: ["eventstoredb"], event_store_cluster_url: NODES };
    const file = compose.secrets.event_store_url?.file;
    expect([file, cluster.secrets.event_store_url?.file]).toEqual(
      Object.keys(nodes).map((name) => `./secrets/${name}`),
    );
    const password = await readFile(path.join(secrets, "eventstoredb_admin_password"), "utf8");
    for (const [name, hosts] of Object.entries(nodes)) {
      const url = (await readFile(path.join(secrets, name), "utf8")).trim();
      const { isCluster, options, certificates, appendCredentials } = readConnectionString(url);
      expect(isCluster).toBe(hosts.length > 1);
      expect(options.hosts.map(({ address, port }) => `${address}:${port}`)).toEqual(
        hosts.map((node) => `${node}:2113`),
      );
      expect(certificates).toEqual({
        insecure: false,
        rootCertificate: await readFile(path.join(secrets, "certificate_authority")),
      });
      expect(appendCredentials).toEqual({ username: "admin", password: password.trim() });
    }
  });
});
