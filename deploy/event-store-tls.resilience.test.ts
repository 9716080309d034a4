import dns from "node:dns/promises";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createEventStoreDBEventStore } from "#event-store/eventstoredb/eventstoredb-event-store.ts";
import { loseLeaders } from "#event-store/eventstoredb/testing/lost-leaders.ts";
import {
  StandInCluster,
  type StandInHost,
} from "#event-store/eventstoredb/testing/stand-in-cluster.ts";
import type { EventStore } from "#event-store/port.ts";
import { explainFailure, isStoreUnavailable } from "#runtime/lifecycle/explain-failure.ts";
import { type Holder, makeCertificates, VALID_DAYS } from "./certificates.ts";
import { makeSettledSecrets } from "./testing/compose.ts";

const ADDRESSES = ["127.0.0.1", "127.0.0.2", "127.0.0.3"] as const;
/** One name for all nodes. */
const NAME = "event-log.internal";
const USERS = { registry: "pass:word/and more" };
const ENCODED = `registry:${encodeURIComponent(USERS.registry)}`;

type Authority = Awaited<ReturnType<typeof makeCertificates<"node">>>;
const node: Holder = { commonName: "eventstoredb-node", hosts: [NAME, ...ADDRESSES] };
let folder: string;
let own: Authority;
let stranger: Authority;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-event-log-"));
  [own, stranger] = await Promise.all([makeCertificates({ node }), makeCertificates({ node })]);
  await writeFile(path.join(folder, "stranger"), stranger.authority);
  // As during a renewal.
  await writeFile(path.join(folder, "both"), `${stranger.authority}\n${own.authority}`);
});
afterAll(() => rm(folder, { recursive: true }));

const opened: EventStore[] = [];
const clusters: StandInCluster[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

function open(connectionString: string): EventStore {
  const store = createEventStoreDBEventStore({ connectionString });
  opened.push(store);
  return store;
}

/** Starts three nodes, which advertise their addresses unless they have names. */
async function start(
  { pairs }: Authority,
  names: readonly string[] = ADDRESSES,
  users: Readonly<Record<string, string>> = USERS,
): Promise<StandInCluster> {
  const hosts = ADDRESSES.map((address, index) => ({ address, host: names[index] ?? address }));
  const cluster = new StandInCluster({
    hosts: hosts as [StandInHost, StandInHost, StandInHost],
    security: { ...pairs.node, users },
  });
  await cluster.start();
  clusters.push(cluster);
  return cluster;
}

/** Resolves host names as a name server of the deployment would. The system knows none of them. */
function name(hosts: Readonly<Record<string, readonly string[]>>): void {
  const lookup = dns.lookup as (host: string, options: object) => Promise<unknown>;
  vi.spyOn(dns, "lookup").mockImplementation((async (host: string, options: object) => {
    const found = hosts[host]?.map((address) => ({ address, family: 4 }));
    return found ?? lookup(host, options);
  }) as unknown as typeof dns.lookup);
}

function discovery(cluster: StandInCluster, { user = ENCODED, authority = "both" } = {}): string {
  const port = cluster.places[0]?.split(":")[1];
  const query = `tls=true&tlsCAFile=${encodeURIComponent(path.join(folder, authority))}`;
  return `esdb+discover://${user && `${user}@`}${NAME}:${port}?${query}`;
}

/** Asks as a starting process would, which retries as long as its store may just be unavailable. */
async function whyNotStarted(store: EventStore): Promise<unknown> {
  for (;;) {
    const failure = await store.head().catch((error: unknown) => error);
    if (!isStoreUnavailable(failure)) return failure;
  }
}

describe("EventStoreDB adapter with certificates, users and one name for all nodes", () => {
  it("fails over when a leader freezes and when one is killed, without losing or duplicating anything", async () => {
    name({ [NAME]: ADDRESSES });
    const cluster = await start(own);
    await loseLeaders(cluster, () => open(discovery(cluster)), ["freeze", "kill"]);
  });

  it("explains in a sentence why a start cannot succeed, however long it waits", async () => {
    name({ [NAME]: ADDRESSES, "event-log.example": ADDRESSES });
    const past = new Date(Date.now() - (VALID_DAYS + 1) * 86_400_000);
    const [cluster, expired] = await Promise.all([
      start(own),
      makeCertificates({ node }, past).then(async (outdated) => {
        await writeFile(path.join(folder, "outdated"), outdated.authority);
        return start(outdated);
      }),
    ]);
    const one = (host: string) =>
      discovery(cluster).replace("esdb+discover", "esdb").replace(NAME, host);
    const denied = /^The event log rejected the connection \(access denied\)/;
    const certificate = (code: string) =>
      new RegExp(`^A store's certificate isn't trusted \\(${code}\\)`);
    const sentences: [url: string, sentence: RegExp][] = [
      [discovery(cluster, { user: "registry:other" }), denied],
      [discovery(cluster, { user: "somebody:else" }), denied],
      [discovery(cluster, { user: "" }), denied],
      [
        discovery(cluster, { authority: "stranger" }),
        certificate("UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
      ],
      [
        discovery(cluster).replace(NAME, "event-log.example"),
        certificate("ERR_TLS_CERT_ALTNAME_INVALID"),
      ],
      [discovery(expired, { authority: "outdated" }), certificate("CERT_HAS_EXPIRED")],
      [
        one("127.0.0.1").replace("both", "stranger"),
        certificate("UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
      ],
      [one("localhost"), certificate("ERR_TLS_CERT_ALTNAME_INVALID")],
    ];
    await Promise.all(
      sentences.map(async ([url, sentence]) => {
        expect(explainFailure(await whyNotStarted(open(url))), url).toMatch(sentence);
      }),
    );
    expect(await open(one("127.0.0.1")).head()).toBe(await open(discovery(cluster)).head());
  });
});

describe("EventStoreDB adapter with the address and the certificate of docker-compose.cluster.yml", () => {
  it("fails over when the leader is killed", async () => {
    const secrets = path.join(folder, "secrets");
    await makeSettledSecrets(secrets);
    const secret = async (file: string) =>
      (await readFile(path.join(secrets, file), "utf8")).trim();
    const names = ["eventstoredb", "eventstoredb-2", "eventstoredb-3"];
    name(Object.fromEntries(names.map((each, index) => [each, [ADDRESSES[index] ?? ""]])));
    const pair = {
      certificate: await secret("eventstoredb_certificate"),
      key: await secret("eventstoredb_key"),
    };
    const cluster = await start({ authority: "", pairs: { node: pair } }, names, {
      admin: await secret("eventstoredb_admin_password"),
    });
    const places = names.map((each) => `${each}:2113`).join(",");
    const url = await secret("event_store_cluster_url");
    expect(url).toContain(`@${places}?`);
    await loseLeaders(cluster, () => open(url.replace(places, cluster.places.join(","))), ["kill"]);
  });
});
