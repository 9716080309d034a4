import { describe, expect, it } from "vitest";
import { compose, serviceOf, services, usersOf } from "./testing/compose.ts";

/** Servers whose images write files of their own beside their data when they start. */
const WRITES_ITS_ROOT = ["eventstoredb", "opensearch"];

const SERVICES = ["command-api", "query-api", "projector", "mailer", "backup"];

/** Who receives each secret; the databases' passwords are in databases.int.test.ts. */
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
  it.each(services)("%s has no capabilities, and can get none", (_name, service) => {
    expect(service.cap_drop).toEqual(["ALL"]);
    expect(service.cap_add).toBeUndefined();
    expect(service.security_opt).toEqual(["no-new-privileges:true"]);
    expect(service).not.toHaveProperty("privileged");
    expect(service).not.toHaveProperty("network_mode");
  });

  it("can write to volumes and memory only, but for the servers that write beside their data", () => {
    const writable = services.flatMap(([name, { read_only }]) => (read_only ? [] : [name]));
    expect(writable.toSorted()).toEqual(WRITES_ITS_ROOT.toSorted());
  });

  it.each(services)("%s may start so many threads and processes", (_name, { deploy }) => {
    const pids = deploy?.resources?.limits?.pids ?? 0;
    expect(pids).toBeGreaterThanOrEqual(64);
    expect(pids).toBeLessThanOrEqual(1024);
  });

  it("gives EventStoreDB a floor of threads, as a hexadecimal number", () => {
    const { environment = {} } = serviceOf("eventstoredb");
    expect(environment.DOTNET_ThreadPool_ForceMinWorkerThreads).toBe("0x20");
  });

  it("have only the secrets that they need", () => {
    for (const [secret, users] of Object.entries(USERS))
      expect(usersOf(secret), secret).toEqual(users);
    const others = Object.keys(compose.secrets).filter((name) => !(name in USERS));
    for (const name of others) expect(name).toMatch(/^(keys_|database_)url$|^\w+_password$/);
    expect(serviceOf("mailpit").secrets).toBeUndefined();
  });
});
