import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makeComposeSecrets } from "./secret-files.ts";
import { compose, hostsOf, serviceOf, services, usersOf } from "./testing/compose.ts";

/** A service and another one that it connects to. */
type Pair = readonly [client: string, server: string];

/** Networks that must have a way out: HAProxy's port, and Mailpit's page and real mails. */
const WITH_A_WAY_OUT = ["edge", "mailpit"];

/** The services that HAProxy and web connect to, and these two. */
const APIS = ["command-api", "haproxy", "query-api", "web"];

let pairs: readonly Pair[];
beforeAll(async () => {
  const secrets = await mkdtemp(path.join(os.tmpdir(), "registry-networks-"));
  await makeComposeSecrets(secrets);
  const found: Pair[] = [];
  for (const [name] of services)
    for (const host of await serversOf(name, secrets)) found.push([name, host]);
  // Files are in a volume or in MinIO, as `files_url` says.
  for (const name of usersOf("files_url")) found.push([name, "minio"]);
  pairs = found;
  await rm(secrets, { recursive: true });
});

async function serversOf(name: string, secrets: string): Promise<string[]> {
  const service = serviceOf(name);
  const { environment = {} } = service;
  const hosts = await hostsOf(service, secrets);
  // It sees from the other addresses that there are no tables to create.
  if (name === "migrate") return hosts.filter((host) => host.startsWith("postgres"));
  // The queue is none of the commands' business, but for that it has no tables.
  if (name === "operate") return hosts.filter((host) => host !== "redis");
  const named = Object.entries(environment).filter(([variable]) => variable.endsWith("_HOST"));
  return [...hosts, ...named.map(([, host]) => host)];
}

const membersOf = (network: string) =>
  services.flatMap(([name, { networks = [] }]) => (networks.includes(network) ? [name] : []));

describe("the networks of docker-compose.yml", () => {
  it("let each service reach every server that it has the address of", () => {
    expect(pairs.length).toBeGreaterThan(services.length);
    for (const [client, server] of pairs) {
      const shared = serviceOf(client).networks?.filter((network) =>
        serviceOf(server).networks?.includes(network),
      );
      expect(shared, `${client} and ${server}`).toHaveLength(1);
    }
  });

  it("hold a store and nobody but its users, or the APIs and nobody but their callers", () => {
    for (const network of Object.keys(compose.networks)) {
      if (network === "edge") continue;
      const users = pairs.flatMap(([client, server]) => (server === network ? [client] : []));
      const needed = network === "apis" ? APIS : [...new Set(users), network];
      expect(membersOf(network).toSorted(), network).toEqual(needed.toSorted());
    }
    expect(membersOf("edge")).toEqual(["haproxy"]);
    expect(membersOf("mailpit")).toEqual(["mailpit", "mailer"]);
    const callers = pairs.filter(([, server]) => APIS.includes(server)).flat();
    expect([...new Set(callers)].toSorted()).toEqual(APIS);
  });

  it("have every service in them, so that none is in the network of all", () => {
    for (const [name, { networks = [] }] of services) {
      expect(networks, name).not.toHaveLength(0);
      for (const network of networks) expect(compose.networks).toHaveProperty([network]);
    }
    expect(compose.networks).not.toHaveProperty("default");
  });

  it("have no way out where nothing must leave", () => {
    const open = Object.entries(compose.networks).flatMap(([name, network]) =>
      network?.internal ? [] : [name],
    );
    expect(open.toSorted()).toEqual(WITH_A_WAY_OUT);
    // A port of a container that is only in internal networks is not published.
    for (const [name, { ports = [], networks = [] }] of services)
      if (ports.length > 0)
        expect(
          networks.some((network) => WITH_A_WAY_OUT.includes(network)),
          name,
        ).toBe(true);
  });
});
