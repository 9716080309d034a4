import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { isVariable, variablesOf } from "#runtime/config/read-variables.ts";
import type { Reader } from "#runtime/config/variable.ts";
import { processes } from "../processes.ts";
import { compose, read, serviceOf } from "../testing/compose.ts";
import { type Manifest, REGISTRY } from "./manifest.ts";
import { manifestsOf, operateOf, SETTINGS } from "./manifests.ts";
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

const registry = await read("deploy/kubernetes/registry.yaml");
const operate = await read("deploy/kubernetes/operate.yaml");
const documents = [registry, operate].flatMap((text) =>
  // As `kubectl` reads them: `on` is a boolean.
  parseAllDocuments(text, { version: "1.1" }),
);
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
const JOBS = ["migrate", "operate"];
const PODS = [
  ...OWN.map((name) => ["Deployment", name] as const),
  ...JOBS.map((name) => ["Job", name] as const),
];

describe("the manifests for Kubernetes", () => {
  it("are what docker-compose.yml makes of them", async () => {
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    expect(registry).toBe(yamlOf(await manifestsOf(compose, FRONT)));
    expect(operate).toBe(yamlOf(operateOf(compose, FRONT)));
  });

  it("have each process with its budget, one job that migrates, and the operator's", () => {
    for (const kind of ["Deployment", "PodDisruptionBudget"])
      expect(
        named(kind)
          .map(({ metadata }) => metadata.name)
          .toSorted(),
      ).toEqual(OWN.toSorted());
    expect(named("Job").map(({ metadata }) => metadata.name)).toEqual(JOBS);
    for (const job of JOBS)
      expect(podOf("Job", job).containers[0].command).toEqual(serviceOf(job).command);
  });

  it.each(Object.keys(processes))(
    "give %s only variables that it reads, and each of them",
    (name) => {
      const names = variablesOf(name as Reader).map(([variable]) => variable);
      const known = [...names, ...names.map((each) => `${each}_FILE`).filter(isVariable)];
      const { env } = podOf("Deployment", name).containers[0];
      expect(known).toEqual(expect.arrayContaining(env.map((each) => each.name)));
      expect(env.map((each) => each.name)).toEqual(Object.keys(serviceOf(name).environment ?? {}));
      for (const { name: variable, value, valueFrom } of env) {
        if (!valueFrom) {
          expect(value, variable).toBeTypeOf("string");
          expect(value, variable).not.toContain("${");
        } else {
          expect(valueFrom.configMapKeyRef).toEqual({ name: REGISTRY, key: variable });
          expect(SETTINGS).toHaveProperty(variable);
        }
      }
    },
  );

  it.each(OWN)("ask %s on the port that it listens on, and give it time to end", (name) => {
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

  it("run each pod as a user that a cluster can see is not root", () => {
    for (const [kind, name] of PODS) {
      const { securityContext } = podOf(kind, name);
      expect(securityContext).toMatchObject({ runAsNonRoot: true });
      expect(securityContext.runAsUser).toBeGreaterThan(0);
    }
  });

  it("give HAProxy whole names, which it looks up without a search list", () => {
    const { env } = podOf("Deployment", FRONT).containers[0];
    const hosts = env.filter(({ name }) => name.endsWith("_HOST"));
    expect(hosts.map(({ value }) => value)).toEqual(
      ["command-api", "query-api", "web"].map((name) => `${name}.$(NAMESPACE).svc.cluster.local`),
    );
    // A variable can only be used by those after it.
    expect(env[0]).toMatchObject({ name: "NAMESPACE" });
  });

  it("have a service under each name and port that a process calls", () => {
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

  it("give each pod the folders that its container has, which are claimed once", () => {
    const claims = named("PersistentVolumeClaim").map(({ metadata }) => metadata.name);
    const used = new Set<string>();
    for (const [kind, name] of PODS) {
      const folders = (serviceOf(name).volumes ?? []).map((volume) => volume.split(":"));
      const pod = podOf(kind, name);
      for (const [volume = "", at] of folders) {
        used.add(volume);
        expect(pod.containers[0].volumeMounts).toContainEqual({ name: volume, mountPath: at });
        expect(pod.volumes?.map((each) => each.name)).toContain(volume);
      }
    }
    expect(claims.toSorted()).toEqual([...used].toSorted());
    expect(claims).toContain("files");
  });

  it("give each pod only its own secrets, under the names of the files in secrets/", () => {
    for (const [kind, name] of PODS) {
      const { secrets = [] } = serviceOf(name);
      const mounted = (podOf(kind, name).volumes ?? []).flatMap(({ secret }) => secret ?? []);
      expect(mounted.flatMap(({ items }) => items.map(({ key }) => key))).toEqual(secrets);
      for (const { secretName } of mounted) expect(secretName).toBe(REGISTRY);
      for (const secret of secrets) expect(compose.secrets).toHaveProperty(secret);
    }
  });
});
