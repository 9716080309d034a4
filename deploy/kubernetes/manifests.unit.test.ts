import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { isVariable, variablesOf } from "#runtime/config/read-variables.ts";
import type { Reader } from "#runtime/config/variable.ts";
import { processes } from "../processes.ts";
import { compose, read, serviceOf } from "../testing/compose.ts";
import { type Manifest, manifestsOf, REGISTRY, SETTINGS } from "./manifests.ts";
import { FRONT, yamlOf } from "./yaml.ts";

interface Container {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: {
      readonly configMapKeyRef: { readonly name: string; readonly key: string };
    };
  }[];
  readonly ports?: readonly { readonly containerPort: number }[];
  readonly [part: string]: unknown;
}
interface Pod {
  readonly containers: readonly [Container];
  readonly volumes?: readonly {
    readonly name: string;
    readonly secret?: { readonly secretName: string; readonly items: readonly { key: string }[] };
  }[];
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext: { readonly runAsNonRoot: boolean; readonly runAsUser?: number };
}

const text = await read("deploy/kubernetes/registry.yaml");
const documents = parseAllDocuments(text);
const manifests = documents.map(
  (each) => each.toJS() as Manifest & { spec: { template: { spec: Pod } } },
);
const named = (kind: string) => manifests.filter((each) => each.kind === kind);
const podOf = (kind: string, name: string): Pod => {
  const found = named(kind).find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found.spec.template.spec;
};
const OWN = [...new Set([...Object.keys(processes), FRONT])];

describe("deploy/kubernetes/registry.yaml", () => {
  it("is what docker-compose.yml makes of it", async () => {
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    expect(text).toBe(yamlOf(await manifestsOf(compose, FRONT)));
  });

  it("has each process with its budget, and one job that migrates", () => {
    for (const kind of ["Deployment", "PodDisruptionBudget"])
      expect(
        named(kind)
          .map(({ metadata }) => metadata.name)
          .toSorted(),
      ).toEqual(OWN.toSorted());
    expect(named("Job").map(({ metadata }) => metadata.name)).toEqual(["migrate"]);
    const command = serviceOf("migrate").command;
    expect(podOf("Job", "migrate").containers[0].command).toEqual(command);
  });

  it.each(Object.keys(processes))(
    "gives %s only variables that it reads, and each of them",
    (name) => {
      const names = variablesOf(name as Reader).map(([variable]) => variable);
      const known = [...names, ...names.map((each) => `${each}_FILE`).filter(isVariable)];
      const { env } = podOf("Deployment", name).containers[0];
      expect(known).toEqual(expect.arrayContaining(env.map((each) => each.name)));
      expect(env.map((each) => each.name)).toEqual(Object.keys(serviceOf(name).environment ?? {}));
      for (const { name: variable, value, valueFrom } of env) {
        if (!valueFrom) expect(value, variable).not.toContain("${");
        else {
          expect(valueFrom.configMapKeyRef).toEqual({ name: REGISTRY, key: variable });
          expect(SETTINGS).toHaveProperty(variable);
        }
      }
    },
  );

  it.each(OWN)("asks %s on the port that it listens on, and gives it time to end", (name) => {
    const pod = podOf("Deployment", name);
    const [container] = pod.containers;
    const port = Number(serviceOf(name).environment?.PORT);
    expect(container.ports).toEqual([{ name: "http", containerPort: port }]);
    expect(container).toMatchObject({
      livenessProbe: { httpGet: { path: "/healthz", port: "http" } },
      startupProbe: { httpGet: { path: "/healthz", port: "http" } },
      readinessProbe: { httpGet: { path: "/readyz", port: "http" } },
      securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
    });
    // Ten seconds are promised from SIGTERM on, which comes after the pause.
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(15);
  });

  it("runs each pod as a user that a cluster can see is not root", () => {
    const pods = [podOf("Job", "migrate"), ...OWN.map((name) => podOf("Deployment", name))];
    for (const { securityContext } of pods) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true });
      expect(securityContext.runAsUser).toBeGreaterThan(0);
    }
  });

  it("lets nobody reach a pod but its callers, on the port of visitors alone", () => {
    const labels = (name: string) => ({
      "app.kubernetes.io/part-of": REGISTRY,
      "app.kubernetes.io/name": name,
    });
    const admitted = named("NetworkPolicy").map(({ metadata, spec }) => {
      const { podSelector, policyTypes, ingress } = spec as unknown as {
        readonly podSelector: object;
        readonly policyTypes: readonly string[];
        readonly ingress: readonly { readonly from?: readonly object[]; readonly ports: object }[];
      };
      expect([podSelector, policyTypes]).toEqual([
        { matchLabels: labels(metadata.name) },
        ["Ingress"],
      ]);
      return [metadata.name, ingress] as const;
    });
    const from = (...names: string[]) =>
      names.map((name) => ({ podSelector: { matchLabels: labels(name) } }));
    expect(Object.fromEntries(admitted)).toEqual({
      haproxy: [{ ports: [{ port: 3000 }] }],
      "command-api": [{ from: from("web", "haproxy"), ports: [{ port: 3001 }] }],
      "query-api": [{ from: from("web", "haproxy"), ports: [{ port: 3002 }] }],
      web: [{ from: from("haproxy"), ports: [{ port: 3005 }] }],
      projector: [],
      mailer: [],
      backup: [],
    });
  });

  it("gives HAProxy whole names, which it looks up without a search list", () => {
    const { env } = podOf("Deployment", FRONT).containers[0];
    const hosts = env.filter(({ name }) => name.endsWith("_HOST"));
    expect(hosts.map(({ value }) => value)).toEqual(
      ["command-api", "query-api", "web"].map((name) => `${name}.$(NAMESPACE).svc.cluster.local`),
    );
    // A variable can only be used by those after it.
    expect(env[0]).toMatchObject({ name: "NAMESPACE" });
  });

  it("has a service under each name and port that a process calls", () => {
    const services = new Map(
      named("Service").map(({ metadata, spec }) => [
        metadata.name,
        (spec as unknown as { ports: { port: number }[] }).ports[0]?.port,
      ]),
    );
    let called = 0;
    for (const name of OWN)
      for (const [variable, value] of Object.entries(serviceOf(name).environment ?? {})) {
        if (!/^(COMMAND_API|QUERY_API|WEB)_(URL|HOST)$/.test(variable)) continue;
        called += 1;
        const host = URL.canParse(value) ? new URL(value).hostname : value;
        expect(services.get(host), value).toBe(Number(serviceOf(host).environment?.PORT));
        if (URL.canParse(value)) expect(services.get(host)).toBe(Number(new URL(value).port));
      }
    expect(called).toBeGreaterThan(0);
    expect(services.has(FRONT)).toBe(true);
  });

  it("gives each pod the folders that its container has, which are claimed once", () => {
    const claims = named("PersistentVolumeClaim").map(({ metadata }) => metadata.name);
    const used = new Set<string>();
    for (const name of OWN) {
      const folders = (serviceOf(name).volumes ?? []).map((volume) => volume.split(":"));
      const pod = podOf("Deployment", name);
      for (const [volume = "", at] of folders) {
        used.add(volume);
        expect(pod.containers[0].volumeMounts).toContainEqual({ name: volume, mountPath: at });
        expect(pod.volumes?.map((each) => each.name)).toContain(volume);
      }
    }
    expect(claims.toSorted()).toEqual([...used].toSorted());
    expect(claims).toContain("files");
  });

  it("gives each pod only its own secrets, under the names of the files in secrets/", () => {
    for (const [kind, names] of [
      ["Deployment", OWN],
      ["Job", ["migrate"]],
    ] as const)
      for (const name of names) {
        const { secrets = [] } = serviceOf(name);
        const mounted = (podOf(kind, name).volumes ?? []).flatMap(({ secret }) => secret ?? []);
        expect(mounted.flatMap(({ items }) => items.map(({ key }) => key))).toEqual(secrets);
        for (const { secretName } of mounted) expect(secretName).toBe(REGISTRY);
        for (const secret of secrets) expect(compose.secrets).toHaveProperty(secret);
      }
  });
});
