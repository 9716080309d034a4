import { mkdtemp, rm } from "node:fs/promises";
import { BlockList, isIPv6 } from "node:net";
import os from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { processes } from "../processes.ts";
import { makeComposeSecrets } from "../secret-files.ts";
import { addressesOf, read, serviceOf } from "../testing/compose.ts";
import type { Manifest } from "./manifest.ts";
import { FRONT } from "./yaml.ts";

interface Peer {
  readonly podSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly namespaceSelector?: Readonly<Record<string, never>>;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}
interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port: number; readonly protocol?: string }[];
}
interface Policy {
  readonly podSelector: Peer["podSelector"];
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly Rule[];
  readonly egress: readonly Rule[];
}

/** The other end of a connection: a pod, or a server by its address. */
type End = { readonly pod: string } | { readonly address: string };

const OTHER_POD = { pod: "in-another-namespace" };
const PUBLIC = [{ address: "198.51.100.7" }, { address: "2001:db8::7" }];
const PRIVATE = [
  ...["10.1.2.3", "100.64.1.2", "172.31.1.2", "192.168.1.2"].map((address) => ({ address })),
  { address: "fd00::7" },
];
/** By which clouds hand a machine its credentials. */
const METADATA = { address: "169.254.169.254" };
/** Where a cache on the machine itself answers for names. */
const NODE_LOCAL = { address: "169.254.20.10" };

const texts = await Promise.all(
  ["registry", "operate"].map((f) => read(`deploy/kubernetes/${f}.yaml`)),
);
const manifests = texts.flatMap((text) =>
  parseAllDocuments(text).map((each) => each.toJS() as Manifest & { spec: Policy }),
);
const policies = new Map(
  manifests.flatMap(({ kind, metadata, spec }) =>
    kind === "NetworkPolicy" ? [[metadata.name, spec] as const] : [],
  ),
);
const PODS = [...Object.keys(processes), FRONT, "migrate", "operate"];
const STORES = ["postgres", "postgres-keys", "eventstoredb", "redis", "opensearch", "mailpit"];

const labels = (name: string) => ({
  "app.kubernetes.io/part-of": "registry",
  "app.kubernetes.io/name": name,
});

function isIn(cidr: string, address: string): boolean {
  const [network = "", prefix] = cidr.split("/");
  if (isIPv6(network) !== isIPv6(address)) return false;
  const list = new BlockList();
  const version = isIPv6(network) ? "ipv6" : "ipv4";
  list.addSubnet(network, Number(prefix), version);
  return list.check(address, version);
}

function matches({ podSelector, namespaceSelector, ipBlock }: Peer, end: End): boolean {
  if ("pod" in end)
    return (
      isDeepStrictEqual(podSelector?.matchLabels, labels(end.pod)) || Boolean(namespaceSelector)
    );
  if (!ipBlock) return false;
  const { cidr, except = [] } = ipBlock;
  return isIn(cidr, end.address) && !except.some((each) => isIn(each, end.address));
}

const permits = (rules: readonly Rule[] = [], end: End, to: number, protocol = "TCP") =>
  rules.some(
    ({ from, to: peers = from, ports }) =>
      (peers === undefined || peers.some((peer) => matches(peer, end))) &&
      (ports === undefined ||
        ports.some((each) => each.port === to && (each.protocol ?? "TCP") === protocol)),
  );

function policyOf(name: string): Policy {
  const policy = policies.get(name);
  if (!policy) throw new Error(`${name} has no policy`);
  return policy;
}
const reaches = (name: string, end: End, port: number) => permits(policyOf(name).egress, end, port);
const connects = (from: string, to: string, port: number) =>
  reaches(from, { pod: to }, port) && permits(policyOf(to).ingress, { pod: from }, port);

const shareNetwork = (one: string, other: string) =>
  serviceOf(one).networks?.some((network) => serviceOf(other).networks?.includes(network));

let secrets: string;
beforeAll(async () => {
  secrets = await mkdtemp(path.join(os.tmpdir(), "registry-policies-"));
  await makeComposeSecrets(secrets);
});
afterAll(() => rm(secrets, { recursive: true }));

describe("the policies for Kubernetes", () => {
  it("are one for each pod, in both directions, so that what none of them names is refused", () => {
    expect([...policies.keys()].toSorted()).toEqual(PODS.toSorted());
    for (const [name, { podSelector, policyTypes }] of policies) {
      expect(podSelector, name).toEqual({ matchLabels: labels(name) });
      expect(policyTypes, name).toEqual(["Ingress", "Egress"]);
    }
  });

  it("let visitors reach HAProxy's public port, and nothing else", () => {
    const port = Number(serviceOf(FRONT).environment?.PORT);
    for (const each of [OTHER_POD, ...PUBLIC])
      for (const name of PODS) {
        const { PORT, OPERATIONS_PORT = "3099" } = serviceOf(name).environment ?? {};
        for (const at of [Number(PORT ?? 3000), Number(OPERATIONS_PORT)])
          expect(permits(policyOf(name).ingress, each, at), `${name}:${at}`).toBe(
            name === FRONT && at === port,
          );
      }
  });

  it("let pods call each other by the addresses that they have, at both ends", () => {
    const pairs = PODS.flatMap((from) =>
      PODS.flatMap((to) => {
        const port = Number(serviceOf(to).environment?.PORT);
        return from !== to && connects(from, to, port) ? [`${from} calls ${to}`] : [];
      }),
    );
    expect(pairs.toSorted()).toEqual([
      "haproxy calls command-api",
      "haproxy calls query-api",
      "haproxy calls web",
      "web calls command-api",
      "web calls query-api",
    ]);
  });

  it("let query-api ask the operators' ports of web and HAProxy, and no other pod ask one", () => {
    const pairs = PODS.flatMap((from) =>
      PODS.flatMap((to) => {
        const { OPERATIONS_PORT } = serviceOf(to).environment ?? {};
        if (from === to || OPERATIONS_PORT === undefined) return [];
        return connects(from, to, Number(OPERATIONS_PORT)) ? [`${from} asks ${to}`] : [];
      }),
    );
    expect(pairs.toSorted()).toEqual(["query-api asks haproxy", "query-api asks web"]);
  });

  it.each(PODS)(
    "let %s reach the ports of the stores in its networks, nearby, and of no others",
    async (name) => {
      const addresses = await addressesOf(serviceOf(name), secrets);
      const needed = addresses.flatMap(({ hostname, port }) =>
        STORES.includes(hostname) && shareNetwork(name, hostname) ? [Number(port)] : [],
      );
      for (const store of STORES)
        if (shareNetwork(name, store))
          expect(
            addresses.map(({ hostname }) => hostname),
            "its address",
          ).toContain(store);
      const known = [5432, 2113, 6379, 9200, 1025];
      for (const end of [OTHER_POD, ...PRIVATE])
        expect(
          [...known, 22, 443, 8025, 9000].filter((port) => reaches(name, end, port)),
          JSON.stringify(end),
        ).toEqual(known.filter((port) => needed.includes(port)));
    },
  );

  it("let a pod reach the Internet exactly where its container has a way out, and nobody the cloud's credentials", () => {
    const outgoing = PODS.filter((name) => serviceOf(name).networks?.includes(`egress-${name}`));
    expect(outgoing.length).toBeGreaterThan(1);
    for (const name of PODS) {
      for (const end of PUBLIC)
        for (const port of [25, 443, 5432, 9200])
          expect(reaches(name, end, port), `${name}, ${end.address}:${port}`).toBe(
            outgoing.includes(name),
          );
      for (const port of [80, 443, 5432]) expect(reaches(name, METADATA, port), name).toBe(false);
    }
  });

  it("let each pod ask for names, wherever the cluster answers", () => {
    for (const name of PODS)
      for (const end of [OTHER_POD, ...PRIVATE, NODE_LOCAL])
        for (const protocol of ["UDP", "TCP"])
          expect(permits(policyOf(name).egress, end, 53, protocol), name).toBe(true);
  });
});
