import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMigrateConfig } from "#launcher/migrate/config.ts";
import { SERVICE_ROLES } from "#runtime/db/service-roles.ts";
import { makeComposeSecrets } from "./secret-files.ts";
import { compose, scripts, serviceOf, settled, usersOf } from "./testing/compose.ts";

let secrets: string;
beforeAll(async () => {
  secrets = await mkdtemp(path.join(os.tmpdir(), "registry-databases-"));
  await makeComposeSecrets(secrets);
});
afterAll(() => rm(secrets, { recursive: true }));

describe("the databases of docker-compose.yml", () => {
  it.each(Object.entries(SERVICE_ROLES))(
    "connects %s to both databases as %s, with its own password",
    (name, role) => {
      const { environment = {} } = serviceOf(name);
      expect(environment).toMatchObject({
        DATABASE_URL: `postgres://${role}@postgres:5432/registry`,
        KEYS_URL: `postgres://${role}@postgres-keys:5432/keys`,
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
      for (const store of ["EVENT_STORE_URL", "SEARCH_URL"] as const)
        expect([stores[store], undefined]).toContain(given[store]);
      for (const store of ["DATABASE_URL", "KEYS_URL"] as const)
        expect(new URL(given[store] ?? "").host).toBe(new URL(stores[store]).host);
      const { DATABASE_PASSWORD_FILE = "" } = settled(given, secrets);
      const password = (await readFile(DATABASE_PASSWORD_FILE, "utf8")).trim();
      expect(passwords?.[name as keyof typeof SERVICE_ROLES]).toBe(password);
    }
    // It has no password for the queue, and needs only to know that its tables are not here.
    const jobs = new URL(await readFile(path.join(secrets, "jobs_url"), "utf8"));
    expect(stores.JOBS_URL).toBe(`redis://${jobs.host}`);
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
