import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Compose, ComposeService } from "../testing/compose.ts";
import { labelsOf, type Manifest, manifest, REGISTRY } from "./manifest.ts";
import { callsOf, policyOf, portOf } from "./policies.ts";

/** Settings that differ from cluster to cluster. They are in the ConfigMap, to be edited there. */
export const SETTINGS = {
  PUBLIC_URL: "https://registry.example",
  ADMIN_EMAIL: "admin@registry.example",
  /** The number of proxies in front of the public port: one, the Ingress. */
  TRUST_PROXY: "1",
} as const;

/** The image that `docker build --tag` makes; the name in the cluster's registry replaces it. */
const IMAGE = "registry:latest";

/** Seconds in which a pod that ends still gets requests, while the cluster takes it out. */
const LEAVING_S = 5;

/** What HAProxy adds to names, since it looks them up itself and knows no search list. */
const NAMES = "$(NAMESPACE).svc.cluster.local";

/** The user `node` of the image. */
const USER = 1000;

/**
 * The user `haproxy` of HAProxy's image, which has it by name. Of a name a cluster cannot see that it is not root,
 * and starts nothing.
 */
const FRONT_USER = 99;

/**
 * The registry's own containers of docker-compose.yml for Kubernetes: one Job for `migrate`, for each other service a
 * Deployment with probes, a budget for disruptions and, where others call it, a Service, and for each a policy that
 * says who reaches it and whom it reaches.
 * The stores are not among them: they keep the names that they have in docker-compose.yml.
 * @param front name of the service with the public port.
 */
export async function manifestsOf(compose: Compose, front: string): Promise<Manifest[]> {
  const own = Object.entries(compose.services).filter(
    // A service with a profile starts only when it is asked for.
    ([name, { build, profiles }]) => !profiles && (build !== undefined || name === front),
  );
  const names = own.map(([name]) => name);
  const calls = own.flatMap(([, service]) => callsOf(service, compose));
  const called = new Set([front, ...calls.map(({ host }) => host)]);
  const manifests: Manifest[] = [manifest("v1", "ConfigMap", REGISTRY, { data: { ...SETTINGS } })];
  const folders = new Set(own.flatMap(([, { volumes = [] }]) => volumes.map(nameOfVolume)));
  for (const folder of folders) manifests.push(claimOf(folder));
  for (const [name, service] of own) {
    const files = await configFiles(name, service, compose);
    if (files) manifests.push(files);
    manifests.push(policyOf(name, compose, names, front));
    if (name === "migrate") {
      manifests.push(jobOf(name, service, { backoffLimit: 20 }, "OnFailure"));
      continue;
    }
    manifests.push(deploymentOf(name, service, name === front));
    manifests.push(
      manifest("policy/v1", "PodDisruptionBudget", name, {
        spec: { maxUnavailable: 1, selector: { matchLabels: labelsOf(name) } },
      }),
    );
    if (called.has(name)) manifests.push(serviceManifest(name, service));
  }
  return manifests;
}

/** The operator's commands: a Job that is made for each, and its policy. */
export function operateOf(compose: Compose, front: string): Manifest[] {
  const name = "operate";
  const service = compose.services[name];
  if (!service) throw new Error(`docker-compose.yml lacks ${name}`);
  return [
    policyOf(name, compose, [name], front),
    // A command that failed is looked at before it runs again.
    jobOf(name, service, { backoffLimit: 0 }, "Never"),
  ];
}

/** A folder that the pods of several services share. */
function claimOf(name: string): Manifest {
  return manifest("v1", "PersistentVolumeClaim", name, {
    spec: { accessModes: ["ReadWriteMany"], resources: { requests: { storage: "10Gi" } } },
  });
}

function nameOfVolume(volume: string): string {
  return volume.split(":")[0] ?? "";
}

function serviceManifest(name: string, service: ComposeService): Manifest {
  const port = portOf(service);
  return manifest("v1", "Service", name, {
    spec: {
      // Callers look up all addresses and divide requests themselves.
      clusterIP: "None",
      selector: labelsOf(name),
      ports: [{ name: "http", port, targetPort: "http" }],
    },
  });
}

function jobOf(
  name: string,
  service: ComposeService,
  limits: object,
  restartPolicy: "OnFailure" | "Never",
): Manifest {
  return manifest("batch/v1", "Job", name, {
    spec: {
      ...limits,
      template: {
        metadata: { labels: labelsOf(name) },
        spec: { restartPolicy, ...podOf(name, service, {}, false) },
      },
    },
  });
}

function deploymentOf(name: string, service: ComposeService, isFront: boolean): Manifest {
  const isSecure = !isFront && service.environment?.TLS_CERTIFICATE_FILE !== undefined;
  const probe = (at: string) => ({
    httpGet: { path: at, port: "http", ...(isSecure && { scheme: "HTTPS" }) },
  });
  const probes = {
    ports: [{ name: "http", containerPort: portOf(service) }],
    // Restarted when it does not answer; never because a store is away.
    livenessProbe: {
      ...probe("/healthz"),
      periodSeconds: 10,
      timeoutSeconds: 5,
      failureThreshold: 6,
    },
    readinessProbe: {
      ...probe("/readyz"),
      periodSeconds: 5,
      timeoutSeconds: 5,
      failureThreshold: 2,
    },
    startupProbe: {
      ...probe("/healthz"),
      periodSeconds: 2,
      timeoutSeconds: 5,
      failureThreshold: 60,
    },
    lifecycle: { preStop: leavingOf(service) },
  };
  return manifest("apps/v1", "Deployment", name, {
    spec: {
      replicas: service.deploy?.replicas ?? 2,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      selector: { matchLabels: labelsOf(name) },
      template: {
        metadata: { labels: labelsOf(name) },
        spec: {
          terminationGracePeriodSeconds: LEAVING_S + secondsOf(service.stop_grace_period),
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: "kubernetes.io/hostname",
              whenUnsatisfiable: "ScheduleAnyway",
              labelSelector: { matchLabels: labelsOf(name) },
            },
          ],
          ...podOf(name, service, probes, isFront),
        },
      },
    },
  });
}

/** The pause before SIGTERM. A program that ends politely by another signal gets that one. */
function leavingOf({ stop_signal }: ComposeService): object {
  if (!stop_signal) return { sleep: { seconds: LEAVING_S } };
  const signal = stop_signal.replace(/^SIG/, "");
  // The pod ends with the program, before the second pause is over.
  const script = `sleep ${LEAVING_S}; kill -${signal} 1; sleep 60`;
  return { exec: { command: ["sh", "-c", script] } };
}

/** What Deployments and Jobs have in common. */
function podOf(name: string, service: ComposeService, more: object, isFront: boolean) {
  const { secrets = [], configs = [], volumes: folders = [], working_dir } = service;
  const { cpus = "1.0", memory = "512M" } = service.deploy?.resources?.limits ?? {};
  const mounts = [
    ...(secrets.length > 0 ? [{ name: "secrets", mountPath: "/run/secrets", readOnly: true }] : []),
    ...folders.map((folder) => ({
      name: nameOfVolume(folder),
      mountPath: folder.split(":")[1],
    })),
    ...configs.map(({ source, target }) => ({
      name: "configuration",
      mountPath: target,
      subPath: source,
      readOnly: true,
    })),
  ];
  const volumes = [
    ...(secrets.length > 0
      ? [
          {
            name: "secrets",
            secret: {
              secretName: REGISTRY,
              // Only what this service needs.
              items: secrets.map((key) => ({ key, path: key })),
            },
          },
        ]
      : []),
    ...folders.map((folder) => ({
      name: nameOfVolume(folder),
      persistentVolumeClaim: { claimName: nameOfVolume(folder) },
    })),
    ...(configs.length > 0 ? [{ name: "configuration", configMap: { name } }] : []),
  ];
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      ...(isFront ? { runAsUser: FRONT_USER } : { runAsUser: USER, fsGroup: USER }),
      seccompProfile: { type: "RuntimeDefault" },
    },
    containers: [
      {
        name,
        image: isFront ? service.image : IMAGE,
        command: service.command,
        ...(working_dir && { workingDir: working_dir }),
        env: environmentOf(service, isFront),
        ...more,
        resources: {
          requests: { cpu: "250m", memory },
          limits: { cpu: String(Number(cpus)), memory },
        },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
        ...(mounts.length > 0 && { volumeMounts: mounts }),
      },
    ],
    ...(volumes.length > 0 && { volumes }),
  };
}

function environmentOf({ environment = {} }: ComposeService, isFront: boolean) {
  const variables = Object.entries(environment).map(([name, value]) => {
    const isSetting =
      name in SETTINGS && (value.startsWith("${") || (isFront && name === "TRUST_PROXY"));
    return isSetting
      ? { name, valueFrom: { configMapKeyRef: { name: REGISTRY, key: name } } }
      : { name, value: isFront && name.endsWith("_HOST") ? `${value}.${NAMES}` : value };
  });
  if (!isFront) return variables;
  return [
    { name: "NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } },
    ...variables,
  ];
}

async function configFiles(
  name: string,
  { configs = [] }: ComposeService,
  compose: Compose,
): Promise<Manifest | undefined> {
  if (configs.length === 0) return undefined;
  const root = path.resolve(import.meta.dirname, "../..");
  const data: Record<string, string> = {};
  for (const { source } of configs)
    data[source] = await readFile(path.join(root, compose.configs[source]?.file ?? ""), "utf8");
  return manifest("v1", "ConfigMap", name, { data });
}

function secondsOf(duration = "10s"): number {
  return Number.parseInt(duration, 10);
}
