import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMigrateConfig } from "#launcher/migrate/config.ts";
import { SERVICE_ROLES } from "#runtime/db/service-roles.ts";
import {
  compose,
  makeSettledSecrets,
  scripts,
  serviceOf,
  settled,
  usersOf,
} from "./testing/compose.ts";

const VERIFIED = "?sslmode=verify-full&sslrootcert=/run/secrets/certificate_authority";

let secrets: string;
beforeAll(async () => {
  secrets = await mkdtemp(path.join(os.tmpdir(), "registry-databases-"));
  await makeSettledSecrets(secrets);
});
afterAll(() => rm(secrets, { recursive: true }));

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

  it("gives the owners' passwords only to the databases and to what runs once", () => {
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
    // It has no password for these, and needs only to know that their tables are not here.
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
