import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMigrateConfig } from "#launcher/migrate/config.ts";
import { variables } from "#runtime/config/variables.ts";
import { SERVICE_ROLES } from "#runtime/db/service-roles.ts";
import {
  compose,
  hostsOf,
  makeSettledSecrets,
  read,
  scripts,
  serviceOf,
  services,
  settled,
  usersOf,
} from "./testing/compose.ts";

let secrets: string;
beforeAll(async () => {
  secrets = await mkdtemp(path.join(os.tmpdir(), "registry-containers-"));
  await makeSettledSecrets(secrets);
});
afterAll(() => rm(secrets, { recursive: true }));

/** Servers whose images write files outside their data when they start. */
const WRITES_ITS_ROOT = ["eventstoredb", "opensearch"];

const SERVICES = ["command-api", "query-api", "projector", "mailer", "backup"];

/** Recipients of each secret, except the databases' passwords. */
const USERS = {
  certificate_authority: [
    ...["eventstoredb", "redis", "opensearch", "migrate", "operate"],
    ...["command-api", "query-api", "projector", "mailer", "web", "backup", "haproxy"],
  ],
  command_api_certificate: ["command-api"],
  command_api_key: ["command-api"],
  query_api_certificate: ["query-api"],
  query_api_key: ["query-api"],
  web_certificate: ["web"],
  web_key: ["web"],
  haproxy_certificate_and_key: ["haproxy"],
  postgres_certificate: ["postgres"],
  postgres_key: ["postgres"],
  postgres_keys_certificate: ["postgres-keys"],
  postgres_keys_key: ["postgres-keys"],
  redis_certificate: ["redis"],
  redis_key: ["redis"],
  opensearch_certificate: ["opensearch"],
  opensearch_key: ["opensearch"],
  opensearch_admin_certificate: ["opensearch"],
  opensearch_admin_key: ["opensearch"],
  opensearch_users: ["opensearch"],
  eventstoredb_certificate: ["eventstoredb"],
  eventstoredb_key: ["eventstoredb"],
  eventstoredb_admin_password: ["eventstoredb"],
  eventstoredb_ops_password: ["eventstoredb"],
  event_store_url: ["operate", ...SERVICES],
  query_api_search_url: ["query-api"],
  projector_search_url: ["operate", "projector"],
  master_key: ["migrate", "operate", ...SERVICES],
  files_url: ["operate", "command-api", "query-api", "backup"],
  rate_limit_url: ["command-api", "query-api"],
  jobs_url: ["mailer"],
  redis_users: ["redis"],
  admin_password: ["command-api"],
  seaweedfs_identities: ["seaweedfs"],
};

describe("the containers of docker-compose.yml", () => {
  it.each(services)("%s has no capabilities, and can't gain any", (_name, service) => {
    expect(service.cap_drop).toEqual(["ALL"]);
    expect(service.cap_add).toBeUndefined();
    expect(service.security_opt).toEqual(["no-new-privileges:true"]);
    expect(service).not.toHaveProperty("privileged");
    expect(service).not.toHaveProperty("network_mode");
  });

  it("can write only to volumes and memory, except servers that write outside their data", () => {
    const writable = services.flatMap(([name, { read_only }]) => (read_only ? [] : [name]));
    expect(writable.toSorted()).toEqual(WRITES_ITS_ROOT.toSorted());
  });

  it.each(services)("%s has a limit on threads and processes", (_name, { deploy }) => {
    const pids = deploy?.resources?.limits?.pids ?? 0;
    expect(pids).toBeGreaterThanOrEqual(64);
    expect(pids).toBeLessThanOrEqual(1024);
  });

  it("gives EventStoreDB a minimum number of threads, in hexadecimal", () => {
    const { environment = {} } = serviceOf("eventstoredb");
    expect(environment.DOTNET_ThreadPool_ForceMinWorkerThreads).toBe("0x20");
  });

  it("have only the secrets they need", () => {
    for (const [secret, users] of Object.entries(USERS))
      expect(usersOf(secret), secret).toEqual(users);
    const others = Object.keys(compose.secrets).filter((name) => !(name in USERS));
    for (const name of others) expect(name).toMatch(/^(keys_|database_)url$|^\w+_password$/);
    expect(serviceOf("mailpit").secrets).toBeUndefined();
  });
});

/** A service and another one it connects to. */
type Pair = readonly [client: string, server: string];

/** The networks of published ports: HAProxy's, and that of Mailpit's page. */
const PUBLISHED = { edge: "haproxy", "mailpit-page": "mailpit" };

/** Variables whose server may be external and those of other outbound calls, with the services that read them. */
const MAY_BE_ELSEWHERE = ["FILES_URL", "BACKUP_URL", "BACKUP_KEYS_URL", "SMTP_URL"] as const;
const CALLS_OUT = ["CLAMAV_URL", "STRIPE_SECRET_KEY", "UPDATE_CHECK"] as const;

/** The services that HAProxy and web connect to, and these two. */
const APIS = ["command-api", "haproxy", "query-api", "web"];

let pairs: readonly Pair[];
beforeAll(async () => {
  const found: Pair[] = [];
  for (const [name] of services) for (const host of await serversOf(name)) found.push([name, host]);
  // Files are in a volume or in SeaweedFS, depending on `files_url`.
  for (const name of usersOf("files_url")) found.push([name, "seaweedfs"]);
  pairs = found;
});

async function serversOf(name: string): Promise<string[]> {
  const service = serviceOf(name);
  const { environment = {} } = service;
  const hosts = await hostsOf(service, secrets);
  // It uses the other addresses only to see that there are no tables to create.
  if (name === "migrate") return hosts.filter((host) => host.startsWith("postgres"));
  // The commands do not use the queue, except to see that it has no tables.
  if (name === "operate") return hosts.filter((host) => host !== "redis");
  const named = Object.entries(environment).filter(([variable]) => variable.endsWith("_HOST"));
  return [...hosts, ...named.map(([, host]) => host)];
}

const membersOf = (network: string) =>
  services.flatMap(([name, { networks = [] }]) => (networks.includes(network) ? [name] : []));

describe("the networks of docker-compose.yml", () => {
  it("let each service reach every server whose address it has", () => {
    expect(pairs.length).toBeGreaterThan(services.length);
    for (const [client, server] of pairs) {
      const shared = serviceOf(client).networks?.filter((network) =>
        serviceOf(server).networks?.includes(network),
      );
      expect(shared, `${client} and ${server}`).toHaveLength(1);
    }
  });

  it("contain a store and only its users, or the APIs and only their callers", () => {
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

  it("include every service, so that none is on the shared default network", () => {
    for (const [name, { networks = [] }] of services) {
      expect(networks, name).not.toHaveLength(0);
      for (const network of networks) expect(compose.networks).toHaveProperty([network]);
    }
    expect(compose.networks).not.toHaveProperty("default");
  });

  it("give each service with an external address its own way out", () => {
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

  it("publish ports on separate networks, because internal networks can't publish", () => {
    const published = services.filter(([, { ports = [] }]) => ports.length > 0);
    expect(published.map(([name]) => name).toSorted()).toEqual(Object.values(PUBLISHED).toSorted());
  });
});

/** Places in the containers, with the services that name them in their environment or a secret. */
async function placesByService(): Promise<Map<string, string[]>> {
  const places = new Map<string, string[]>();
  for (const [name, { environment = {}, secrets: given = [] }] of services) {
    const inFiles = given.map((secret) => readFile(path.join(secrets, secret), "utf8"));
    const named = [...Object.values(environment), ...(await Promise.all(inFiles))]
      .filter((value) => value.startsWith("file:"))
      .map((value) => fileURLToPath(value.trim()));
    if (named.length > 0) places.set(name, named);
  }
  return places;
}

const mountsOf = (name: string) =>
  (serviceOf(name).volumes ?? []).map((volume) => volume.split(":") as [string, string]);

describe("the volumes of docker-compose.yml", () => {
  it("are mounted by the services that have a place in them, and by no others", async () => {
    const places = await placesByService();
    expect([...places.keys()].toSorted()).toEqual([
      "backup",
      "command-api",
      "operate",
      "projector",
      "query-api",
    ]);
    for (const [name, named] of places) {
      const mounts = mountsOf(name).map(([, target]) => target);
      const folders = named.map((place) =>
        place.endsWith("/ledger") ? path.dirname(place) : place,
      );
      expect(mounts.toSorted(), name).toEqual(folders.toSorted());
    }
    for (const [name, { build }] of services)
      if (build && !places.has(name)) expect(mountsOf(name), name).toEqual([]);
  });

  it("include one erasure ledger for all that destroy keys, separate from all stores", () => {
    const users = ["backup", "command-api", "projector", "operate"];
    const ledger = serviceOf("operate").environment?.ERASURES_URL;
    for (const name of users) expect(serviceOf(name).environment?.ERASURES_URL, name).toBe(ledger);
    const mounting = services.flatMap(([name]) =>
      mountsOf(name).some(([volume]) => volume === "erasures") ? [name] : [],
    );
    expect(mounting.toSorted()).toEqual(users.toSorted());
  });

  it("are at the same place in each container, and belong to the image's user", async () => {
    const [folders = ""] =
      /^RUN install -d -m 700 -o node -g node \\\n.*$/m.exec(await read("Dockerfile")) ?? [];
    const targets = new Map<string, string>();
    for (const [name, { build, image }] of services)
      if (build || image === serviceOf("migrate").image)
        for (const [volume, target] of mountsOf(name)) {
          expect(targets.get(volume) ?? target).toBe(target);
          targets.set(volume, target);
        }
    expect(targets.size).toBeGreaterThan(0);
    expect(
      folders
        .split(/\s+/)
        .filter((word) => word.startsWith("/"))
        .toSorted(),
    ).toEqual([...targets.values()].toSorted());
  });
});

const VERIFIED = "?sslmode=verify-full&sslrootcert=/run/secrets/certificate_authority";

/** Scheme, host and port of a store. */
function placeOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

describe("the databases of docker-compose.yml", () => {
  it.each(Object.entries(SERVICE_ROLES))(
    "connects %s to both databases as %s, with its own password",
    (name, role) => {
      const { environment = {} } = serviceOf(name);
      expect(environment).toMatchObject({
        DATABASE_URL: `postgres://${role}@postgres:5432/registry${VERIFIED}`,
        KEYS_URL: `postgres://${role}@postgres-keys:5432/keys${VERIFIED}`,
      });
      const password = `${name.replaceAll("-", "_")}_password`;
      expect(environment.DATABASE_PASSWORD_FILE).toBe(`/run/secrets/${password}`);
      expect(usersOf(password)).toEqual(["migrate", name]);
      for (const [variable, value] of Object.entries(environment))
        if (value.startsWith("postgres:")) expect(value, variable).toContain(`//${role}@`);
    },
  );

  it("gives the owners' passwords only to the databases and to one-off containers", () => {
    for (const secret of ["database_url", "keys_url"])
      expect(usersOf(secret)).toEqual(["migrate", "operate"]);
    expect(serviceOf("operate")).toMatchObject({ restart: "no", profiles: ["operate"] });
    expect(usersOf("postgres_password")).toEqual(["postgres"]);
    expect(usersOf("keys_postgres_password")).toEqual(["postgres-keys"]);
    const migrate = serviceOf("migrate");
    expect(migrate).toMatchObject({ restart: "no", command: scripts.migrate?.split(" ") });
    expect(migrate).toMatchObject({ build: ".", read_only: true, cap_drop: ["ALL"] });
    expect(Object.keys(migrate.depends_on ?? {})).toEqual(["postgres", "postgres-keys"]);
  });

  it("configures migrate with every role, and with each external store of the services", async () => {
    const { environment = {} } = serviceOf("migrate");
    const { stores, passwords } = readMigrateConfig(settled(environment, secrets));
    for (const name of Object.keys(SERVICE_ROLES)) {
      const { environment: given = {} } = serviceOf(name);
      const files = settled(given, secrets);
      for (const store of ["EVENT_STORE_URL", "SEARCH_URL"] as const) {
        const file = files[`${store}_FILE`];
        if (file) expect(placeOf(await readFile(file, "utf8"))).toBe(placeOf(stores[store]));
        else expect(given[store]).toBeUndefined();
      }
      for (const store of ["DATABASE_URL", "KEYS_URL"] as const)
        expect(new URL(given[store] ?? "").host).toBe(new URL(stores[store]).host);
      const { DATABASE_PASSWORD_FILE = "" } = files;
      const password = (await readFile(DATABASE_PASSWORD_FILE, "utf8")).trim();
      expect(passwords?.[name as keyof typeof SERVICE_ROLES]).toBe(password);
    }
    // It has no password for these; it only needs to know that their tables are not here.
    expect(placeOf(await readFile(path.join(secrets, "jobs_url"), "utf8"))).toBe(stores.JOBS_URL);
    for (const store of ["EVENT_STORE_URL", "SEARCH_URL", "JOBS_URL"] as const)
      expect(placeOf(stores[store])).toBe(stores[store]);
    const own = await Promise.all(
      Object.keys(compose.secrets).map((name) => readFile(path.join(secrets, name), "utf8")),
    );
    expect(new Set(own).size).toBe(own.length);
  });

  it.each(["postgres", "postgres-keys"])(
    "%s logs no statements and no details, which contain user input",
    (name) => {
      const { command = [], volumes = [], image } = serviceOf(name);
      expect(image).toBe(serviceOf("postgres").image);
      expect(volumes).toEqual([`${name}:/var/lib/postgresql`]);
      const settings = command.filter((_, index) => command[index - 1] === "-c");
      expect(command).toEqual(["postgres", ...settings.flatMap((setting) => ["-c", setting])]);
      expect(Object.fromEntries(settings.map((setting) => setting.split("=")))).toMatchObject({
        log_error_verbosity: "terse",
        log_min_error_statement: "panic",
        log_statement: "none",
        log_min_duration_statement: "-1",
      });
    },
  );
});
