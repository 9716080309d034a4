import { mkdtemp, rm } from "node:fs/promises";
import { BlockList, isIPv6 } from "node:net";
import os from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { isVariable, variablesOf } from "#runtime/config/read-variables.ts";
import type { Reader } from "#runtime/config/schemas.ts";
import { makeComposeSecrets } from "../secret-files.ts";
import { addressesOf, compose, processes, read, serviceOf } from "../testing/compose.ts";

interface Container {
  readonly env: readonly { readonly name: string }[];
  readonly resources: { readonly requests: object };
}
interface Pod {
  readonly containers: readonly [Container];
}
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
  readonly ingress?: readonly Rule[];
  readonly egress: readonly Rule[];
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: object };
  readonly data: Readonly<Record<string, string>>;
  readonly spec: Policy & { readonly template: { readonly metadata: object; readonly spec: Pod } };
}

/** The other end of a connection: a pod, or a server by address. */
type End = { readonly pod: string } | { readonly address: string };

const OTHER_POD = { pod: "in-another-namespace" };
const PUBLIC = [{ address: "198.51.100.7" }, { address: "2001:db8::7" }];
const PRIVATE = [
  ...["10.1.2.3", "100.64.1.2", "172.31.1.2", "192.168.1.2"].map((address) => ({ address })),
  { address: "fd00::7" },
];
/** The address from which clouds serve a machine's credentials. */
const METADATA = { address: "169.254.169.254" };
/** The address of a DNS cache on the machine itself. */
const NODE_LOCAL = { address: "169.254.20.10" };

/** The service with the public port. */
const FRONT = "haproxy";
/** Name of the Secret with the files of `secrets/`, and of the ConfigMap with the settings. */
const REGISTRY = "registry";
/** A failed operator command is not retried without a look at it. */
const JOBS = {
  migrate: { backoffLimit: 20, restartPolicy: "OnFailure" },
  operate: { backoffLimit: 0, restartPolicy: "Never" },
};
const DEPLOYED = [...Object.keys(processes), FRONT];
const PODS = [...DEPLOYED, ...Object.keys(JOBS)];
const STORES = ["postgres", "postgres-keys", "eventstoredb", "redis", "opensearch", "mailpit"];
/** Users of the images, as numbers: a cluster cannot tell that a user name is not root, and starts nothing. */
const USERS = { node: 1000, haproxy: 99 };
/** Seconds in which a terminating pod still gets requests, while the cluster removes it. */
const LEAVING_S = 5;

const runbook = await read("docs/runbooks/kubernetes.md");
const texts = await Promise.all(
  ["registry", "operate"].map((name) => read(`deploy/kubernetes/${name}.yaml`)),
);
// As `kubectl` parses them: `on` is a boolean.
const documents = texts.flatMap((text) => parseAllDocuments(text, { version: "1.1" }));
const manifests = documents.map((each) => each.toJS() as Manifest);

const namesOf = (kind: string) =>
  manifests.flatMap((each) => (each.kind === kind ? [each.metadata.name] : [])).toSorted();
function the(kind: string, name: string): Manifest {
  const found = manifests.filter((each) => each.kind === kind && each.metadata.name === name);
  if (!found[0] || found.length > 1) throw new Error(`there is not one ${kind} ${name}`);
  return found[0];
}
const workload = (name: string) => the(name in JOBS ? "Job" : "Deployment", name);
const containerOf = (name: string) => workload(name).spec.template.spec.containers[0];
const labels = (name: string) => ({
  "app.kubernetes.io/part-of": REGISTRY,
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

const policyOf = (name: string): Policy => the("NetworkPolicy", name).spec;
const reaches = (name: string, end: End, port: number) => permits(policyOf(name).egress, end, port);
const connects = (from: string, to: string, port: number) =>
  reaches(from, { pod: to }, port) && permits(policyOf(to).ingress, { pod: from }, port);
/** Pairs of pods in which one connects to a port of the other. */
const pairs = (variable: string) =>
  PODS.flatMap((from) =>
    PODS.flatMap((to) => {
      const port = Number(serviceOf(to).environment?.[variable]);
      return from !== to && connects(from, to, port) ? [`${from} to ${to}`] : [];
    }),
  ).toSorted();

const shareNetwork = (one: string, other: string) =>
  serviceOf(one).networks?.some((network) => serviceOf(other).networks?.includes(network));

let secrets: string;
beforeAll(async () => {
  secrets = await mkdtemp(path.join(os.tmpdir(), "registry-manifests-"));
  await makeComposeSecrets(secrets);
});
afterAll(() => rm(secrets, { recursive: true }));

describe("the manifests for Kubernetes", () => {
  it("include one of each kind for each registry service in docker-compose.yml", () => {
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    expect(namesOf("Job")).toEqual(Object.keys(JOBS));
    for (const [name, { backoffLimit, restartPolicy }] of Object.entries(JOBS))
      expect(workload(name).spec).toMatchObject({
        backoffLimit,
        template: { spec: { restartPolicy } },
      });
    for (const kind of ["Deployment", "PodDisruptionBudget"])
      expect(namesOf(kind), kind).toEqual(DEPLOYED.toSorted());
    expect(namesOf("NetworkPolicy")).toEqual(PODS.toSorted());
    const folders = PODS.flatMap((name) => serviceOf(name).volumes ?? []);
    const claims = [...new Set(folders.map((volume) => volume.split(":")[0] ?? ""))];
    expect(namesOf("PersistentVolumeClaim")).toEqual(claims.toSorted());
    for (const name of claims)
      expect(the("PersistentVolumeClaim", name).spec).toMatchObject({
        accessModes: ["ReadWriteMany"],
      });
    for (const { kind, metadata } of manifests)
      expect(metadata, kind).toEqual({ name: metadata.name, labels: labels(metadata.name) });
  });

  it.each(PODS)("give %s the same environment as its container", (name) => {
    const { data } = the("ConfigMap", REGISTRY);
    const isFront = name === FRONT;
    const { environment = {} } = serviceOf(name);
    const expected = Object.entries(environment).map(([variable, value]) => {
      // Settings that differ between clusters are edited in the ConfigMap.
      if (variable in data && (value.startsWith("${") || isFront))
        return {
          name: variable,
          valueFrom: { configMapKeyRef: { name: REGISTRY, key: variable } },
        };
      // HAProxy resolves names itself, without a search list.
      const isHost = isFront && variable.endsWith("_HOST");
      return { name: variable, value: isHost ? `${value}.$(NAMESPACE).svc.cluster.local` : value };
    });
    const namespace = {
      name: "NAMESPACE",
      valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } },
    };
    // A variable can only be used by those after it.
    expect(containerOf(name).env).toEqual([...(isFront ? [namespace] : []), ...expected]);
    for (const { name: variable, value = "" } of expected)
      expect(value, variable).not.toContain("${");
    if (!(name in processes)) return;
    const names = variablesOf(name as Reader).map(([variable]) => variable);
    expect([...names, ...names.map((each) => `${each}_FILE`).filter(isVariable)]).toEqual(
      expect.arrayContaining(Object.keys(environment)),
    );
  });

  it.each(PODS)("run %s with the image, command and limits of its container", (name) => {
    const { command, working_dir, deploy, image } = serviceOf(name);
    const { cpus, memory } = deploy?.resources?.limits ?? {};
    const container = containerOf(name);
    expect(container).toMatchObject({
      name,
      image: name === FRONT ? image : "registry:latest",
      command,
      ...(working_dir && { workingDir: working_dir }),
      resources: { limits: { cpu: String(Number(cpus)), memory } },
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      },
    });
    expect(container.resources.requests).toEqual({ cpu: "250m", memory });
    expect(workload(name).spec.template).toMatchObject({
      metadata: { labels: labels(name) },
      spec: {
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          ...(name === FRONT
            ? { runAsUser: USERS.haproxy }
            : { runAsUser: USERS.node, fsGroup: USERS.node }),
          seccompProfile: { type: "RuntimeDefault" },
        },
      },
    });
  });

  it.each(PODS)(
    "give %s only its own secrets and folders, and the files it mounts",
    async (name) => {
      const { secrets: own = [], volumes: folders = [], configs = [] } = serviceOf(name);
      const files = configs.map(({ source, target }) => ({
        file: compose.configs[source]?.file.replace("./", "") ?? "",
        target,
      }));
      const mounts = [
        ...(own.length > 0 ? [{ name: "secrets", mountPath: "/run/secrets", readOnly: true }] : []),
        ...folders
          .map((folder) => folder.split(":"))
          .map(([volume, at]) => ({ name: volume, mountPath: at })),
        ...files.map(({ file, target }) => ({
          name: "configuration",
          mountPath: target,
          subPath: path.basename(file),
          readOnly: true,
        })),
      ];
      const items = own.map((key) => ({ key, path: key }));
      const volumes = [
        ...(own.length > 0 ? [{ name: "secrets", secret: { secretName: REGISTRY, items } }] : []),
        ...folders
          .map((folder) => folder.split(":")[0])
          .map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
        ...(files.length > 0 ? [{ name: "configuration", configMap: { name } }] : []),
      ];
      expect(containerOf(name)).toHaveProperty("volumeMounts", mounts);
      expect(workload(name).spec.template.spec).toHaveProperty("volumes", volumes);
      // The operator creates the ConfigMap from the files themselves.
      for (const { file } of files) expect(runbook).toContain(` --from-file=${file}`);
    },
  );

  it.each(DEPLOYED)("probe %s on the port it listens on, and give it time to stop", (name) => {
    const { environment = {}, stop_grace_period = "10s", stop_signal, deploy } = serviceOf(name);
    const isSecure = name !== FRONT && environment.TLS_CERTIFICATE_FILE !== undefined;
    const probe = (at: string) => ({
      httpGet: { path: at, port: "http", ...(isSecure && { scheme: "HTTPS" }) },
    });
    const signal = stop_signal?.replace("SIG", "");
    // Never restarted because a store is down.
    expect(containerOf(name)).toMatchObject({
      ports: [{ name: "http", containerPort: Number(environment.PORT) }],
      livenessProbe: probe("/healthz"),
      startupProbe: probe("/healthz"),
      readinessProbe: probe("/readyz"),
      lifecycle: {
        // A program that shuts down gracefully on a signal other than SIGTERM gets that one.
        preStop: signal
          ? { exec: { command: ["sh", "-c", `sleep ${LEAVING_S}; kill -${signal} 1; sleep 60`] } }
          : { sleep: { seconds: LEAVING_S } },
      },
    });
    expect(workload(name).spec).toMatchObject({
      replicas: deploy?.replicas ?? 2,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      selector: { matchLabels: labels(name) },
      template: {
        spec: { terminationGracePeriodSeconds: LEAVING_S + Number.parseInt(stop_grace_period, 10) },
      },
    });
    expect(the("PodDisruptionBudget", name).spec).toEqual({
      maxUnavailable: 1,
      selector: { matchLabels: labels(name) },
    });
  });

  it("have a service for each pod that others call, which returns all its addresses", () => {
    const called = new Set(pairs("PORT").map((pair) => pair.split(" to ")[1] ?? ""));
    expect(namesOf("Service")).toEqual([...called, FRONT].toSorted());
    for (const name of [...called, FRONT])
      expect(the("Service", name).spec).toEqual({
        clusterIP: "None",
        selector: labels(name),
        ports: [
          { name: "http", port: Number(serviceOf(name).environment?.PORT), targetPort: "http" },
        ],
      });
  });
});

describe("the policies for Kubernetes", () => {
  it("apply in both directions, so that anything not listed is denied", () => {
    for (const name of PODS)
      expect(policyOf(name), name).toMatchObject({
        podSelector: { matchLabels: labels(name) },
        policyTypes: ["Ingress", "Egress"],
      });
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

  it("let pods call each other by their configured addresses, at both ends", () => {
    expect(pairs("PORT")).toEqual([
      "haproxy to command-api",
      "haproxy to query-api",
      "haproxy to web",
      "web to command-api",
      "web to query-api",
    ]);
  });

  it("let only query-api reach the operators' ports of web and HAProxy", () => {
    expect(pairs("OPERATIONS_PORT")).toEqual(["query-api to haproxy", "query-api to web"]);
  });

  it.each(PODS)(
    "let %s reach only its own networks' store ports on pods and private addresses",
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

  it("let a pod reach the Internet only if its container can, and none the cloud's credentials", () => {
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

  it("let each pod resolve names, wherever the cluster's DNS runs", () => {
    for (const name of PODS)
      for (const end of [OTHER_POD, ...PRIVATE, NODE_LOCAL])
        for (const protocol of ["UDP", "TCP"])
          expect(permits(policyOf(name).egress, end, 53, protocol), name).toBe(true);
  });
});
