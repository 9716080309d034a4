import type { Compose, ComposeService } from "../testing/compose.ts";
import { labelsOf, type Manifest, manifest } from "./manifest.ts";

/** An address that a service calls. */
export interface Call {
  readonly host: string;
  readonly port: number;
}

/** Where stores and pods are, and strangers are not: private addresses, of both versions of IP. */
const PRIVATE = {
  "0.0.0.0/0": ["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16"],
  "::/0": ["fc00::/7"],
} as const;

/** Addresses of one link, such as the one by which clouds hand a machine its credentials. */
const LINK_LOCAL = { "0.0.0.0/0": "169.254.0.0/16", "::/0": "fe80::/10" } as const;

const VERSIONS = ["0.0.0.0/0", "::/0"] as const;

/** Any pod of the cluster, or a server beside it. Networks differ in whether blocks include pods. */
const NEARBY = [
  { namespaceSelector: {} },
  ...VERSIONS.flatMap((all) => PRIVATE[all].map((cidr) => ({ ipBlock: { cidr } }))),
];

const ELSEWHERE = VERSIONS.map((all) => ({
  ipBlock: { cidr: all, except: [...PRIVATE[all], LINK_LOCAL[all]] },
}));

/** Wherever the cluster answers for names: in a pod, or on the machine itself. */
const NAMES = {
  ports: ["UDP", "TCP"].map((protocol) => ({ protocol, port: 53 })),
};

export function portOf({ environment = {} }: ComposeService): number {
  return Number(environment.PORT);
}

/** What a service is configured to call in plain sight: by lists of URLs, or by a name with the port of visitors. */
export function callsOf({ environment = {} }: ComposeService, compose: Compose): Call[] {
  return Object.entries(environment).flatMap(([variable, value]) => {
    const named = variable.endsWith("_HOST") ? compose.services[value] : undefined;
    if (named) return [{ host: value, port: portOf(named) }];
    return value.split(/,(?=https?:)/).flatMap((each) => {
      if (!URL.canParse(each)) return [];
      const { hostname, port } = new URL(each);
      return hostname in compose.services ? [{ host: hostname, port: Number(port) }] : [];
    });
  });
}

/**
 * Who reaches a service and whom it reaches, as the networks of docker-compose.yml have it: services believe what a
 * request says of its visitor's address, and what has been broken into should find no way on. An operators' port is
 * closed to all but those configured to ask there, until a policy of the operator's opens it: policies add up.
 * @param own names of the services that are pods of the registry.
 * @param front the one of them that anybody reaches.
 */
export function policyOf(
  name: string,
  compose: Compose,
  own: readonly string[],
  front: string,
): Manifest {
  const service = serviceIn(compose, name);
  const callees = callsOf(service, compose).filter(({ host }) => own.includes(host));
  const callers = own.flatMap((caller) =>
    callsOf(serviceIn(compose, caller), compose)
      .filter(({ host }) => host === name)
      .map(({ port }) => ({ host: caller, port })),
  );
  const stores = storesOf(service, compose, front);
  const ingress = [
    ...(name === front ? [{ ports: [{ port: portOf(service) }] }] : []),
    ...byPort(callers).map(([port, from]) => ({ from, ports: [{ port }] })),
  ];
  return manifest("networking.k8s.io/v1", "NetworkPolicy", name, {
    spec: {
      podSelector: { matchLabels: labelsOf(name) },
      policyTypes: ["Ingress", "Egress"],
      // A server leaves out an empty list, and each `kubectl apply` would change it.
      ...(ingress.length > 0 && { ingress }),
      egress: [
        NAMES,
        ...byPort(callees).map(([port, to]) => ({ to, ports: [{ port }] })),
        ...(stores.length > 0 ? [{ to: NEARBY, ports: stores.map((port) => ({ port })) }] : []),
        ...(hasWayOut(service, compose) ? [{ to: ELSEWHERE }] : []),
      ],
    },
  });
}

/** The pods at the other end, by port. */
function byPort(calls: readonly Call[]) {
  const pods = ({ host }: Call) => ({ podSelector: { matchLabels: labelsOf(host) } });
  return [...Map.groupBy(calls, ({ port }) => port)].map(
    ([port, group]) => [port, group.map(pods)] as const,
  );
}

/** Ports of the stores in a service's networks. Those with a profile are a choice, and so a policy of the operator's. */
function storesOf({ networks = [] }: ComposeService, compose: Compose, front: string): number[] {
  const calls = Object.values(compose.services).flatMap((each) => callsOf(each, compose));
  const ports = Object.entries(compose.services).flatMap(([store, each]) => {
    if (each.build || each.profiles || store === front) return [];
    if (!each.networks?.some((network) => networks.includes(network))) return [];
    const found = calls.flatMap(({ host, port }) => (host === store ? [port] : []));
    if (found.length === 0) throw new Error(`no address in docker-compose.yml names ${store}`);
    return found;
  });
  return [...new Set(ports)];
}

/** Whether a network of a service reaches the Internet, and is not there to publish its ports. */
function hasWayOut({ networks = [], ports = [] }: ComposeService, compose: Compose): boolean {
  return ports.length === 0 && networks.some((network) => !compose.networks[network]?.internal);
}

function serviceIn(compose: Compose, name: string): ComposeService {
  const service = compose.services[name];
  if (!service) throw new Error(`docker-compose.yml lacks ${name}`);
  return service;
}
