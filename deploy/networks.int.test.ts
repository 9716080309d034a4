import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { variables } from "#runtime/config/variables.ts";
import { makeComposeSecrets } from "./secret-files.ts";
import { compose, hostsOf, serviceOf, services, usersOf } from "./testing/compose.ts";

/** A service and another one that it connects to. */
type Pair = readonly [client: string, server: string];

/** The networks of published ports: HAProxy's, and that of Mailpit's page. */
const PUBLISHED = { edge: "haproxy", "mailpit-page": "mailpit" };

/** Variables whose server may be anywhere, and those of what else calls out, with the services that read them. */
const MAY_BE_ELSEWHERE = ["FILES_URL", "BACKUP_URL", "BACKUP_KEYS_URL", "SMTP_URL"] as const;
const CALLS_OUT = ["CLAMAV_URL", "STRIPE_SECRET_KEY", "UPDATE_CHECK"] as const;

/** The services that HAProxy and web connect to, and these two. */
const APIS = ["command-api", "haproxy", "query-api", "web"];

let pairs: readonly Pair[];
beforeAll(async () => {
  const secrets = await mkdtemp(path.join(os.tmpdir(), "registry-networks-"));
  await makeComposeSecrets(secrets);
  const found: Pair[] = [];
  for (const [name] of services)
    for (const host of await serversOf(name, secrets)) found.push([name, host]);
  // Files are in a volume or in SeaweedFS, as `files_url` says.
  for (const name of usersOf("files_url")) found.push([name, "seaweedfs"]);
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
      if (network in PUBLISHED || network.startsWith("egress-")) continue;
      const users = pairs.flatMap(([client, server]) => (server === network ? [client] : []));
      const needed = network === "apis" ? APIS : [...new Set(users), network];
      expect(membersOf(network).toSorted(), network).toEqual(needed.toSorted());
    }
    for (const [network, service] of Object.entries(PUBLISHED))
      expect(membersOf(network), network).toEqual([service]);
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

  it("have a way out for each service that may have an address elsewhere, where it meets nobody", () => {
    const outgoing = services.flatMap(([name, { environment = {} }]) => {
      const has = (variable: string) =>
        variable in environment || `${variable}_FILE` in environment;
      const reads = CALLS_OUT.some((each) => variables[each].readBy.some((by) => by === name));
      return reads || MAY_BE_ELSEWHERE.some(has) ? [name] : [];
    });
    expect(outgoing.toSorted()).toEqual([
      "backup",
      "command-api",
      "mailer",
      "operate",
      "query-api",
    ]);
    for (const name of outgoing) expect(membersOf(`egress-${name}`), name).toEqual([name]);
    const open = Object.entries(compose.networks).flatMap(([name, network]) =>
      network?.internal ? [] : [name],
    );
    const ways = outgoing.map((name) => `egress-${name}`);
    expect(open.toSorted()).toEqual([...Object.keys(PUBLISHED), ...ways].toSorted());
  });

  it("publish ports by their own networks, as a port of a container in internal ones is not published", () => {
    const published = services.filter(([, { ports = [] }]) => ports.length > 0);
    expect(published.map(([name]) => name).toSorted()).toEqual(Object.values(PUBLISHED).toSorted());
  });
});
