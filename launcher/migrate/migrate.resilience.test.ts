import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SERVICE_ROLES, urlAs } from "#runtime/db/service-roles.ts";
import { CannotStart } from "#runtime/lifecycle/explain-failure.ts";
import { createLogger } from "#runtime/log.ts";
import { composeQueryApi } from "#services/query-api/composition.ts";
import { type OwnServer, startOwnServer } from "#test-kit/own-server.ts";
import { openKeyStore } from "#vault/keys/postgres-key-store.ts";
import { describeRights } from "./testing/describe-rights.ts";

const root = path.resolve(import.meta.dirname, "../..");
const masterKey = randomBytes(32);
const passwords = {
  COMMAND_API_PASSWORD: "password-of-command-api",
  QUERY_API_PASSWORD: "password-of-query-api",
  PROJECTOR_PASSWORD: "password-of-projector",
  MAILER_PASSWORD: "password-of-mailer",
  BACKUP_PASSWORD: "password-of-backup",
};

// Roles are server-wide, so these tests have their own server.
let server: OwnServer;
beforeAll(async () => {
  server = await startOwnServer();
}, 60_000);
afterAll(() => server?.dispose());

async function query(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

async function rightsIn(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await describeRights(client);
  } finally {
    await client.end();
  }
}

/** Creates a database owned by a user who is not a superuser. @returns its URL for that user. */
async function databaseOf(owner: string, attributes = "createrole"): Promise<string> {
  const database = `of_${owner}`;
  await query(
    server.url,
    `create role ${owner} login ${attributes} password 'owner'`,
    `create database ${database} owner ${owner}`,
  );
  const url = new URL(urlAs(server.url, owner, "owner"));
  url.pathname = `/${database}`;
  return url.href;
}

async function runMigrate(
  environment: Record<string, string>,
): Promise<{ code: number; output: string }> {
  const env = { PATH: "", MASTER_KEY: masterKey.toString("hex"), ...environment };
  const run = promisify(execFile)(process.execPath, ["ops/migrate.ts"], { cwd: root, env });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  );
}

const asService = (url: string, service: keyof typeof SERVICE_ROLES, password: string) =>
  urlAs(url, SERVICE_ROLES[service], password);

describe("npm run migrate", () => {
  it("works for an owner who is not a superuser, repeatedly, and with a separate password", async () => {
    const url = await databaseOf("plain_owner");
    const withoutPassword = url.replace(":owner@", "@");
    const environment = {
      DATABASE_URL: withoutPassword,
      DATABASE_PASSWORD: "owner",
      ...passwords,
    };
    expect(await runMigrate(environment)).toMatchObject({ code: 0 });
    const rights = await rightsIn(url);
    expect(rights.length).toBeGreaterThan(100);
    expect(await runMigrate(environment)).toMatchObject({
      code: 0,
      output: expect.stringContaining("Each service has its role"),
    });
    expect(await rightsIn(url)).toEqual(rights);
    const keys = await openKeyStore({
      database: asService(url, "command-api", passwords.COMMAND_API_PASSWORD),
      masterKeys: [masterKey],
    });
    expect((await keys.ensure([{ subject: "account-x" }])).get("account-x")?.state).toBe("present");
    await keys.close();
  }, 60_000);

  it("replaces a role's password", async () => {
    const url = await databaseOf("changing_owner", "superuser");
    expect(await runMigrate({ DATABASE_URL: url, ...passwords })).toMatchObject({ code: 0 });
    const changed = { ...passwords, MAILER_PASSWORD: "another-password-of-mailer" };
    expect(await runMigrate({ DATABASE_URL: url, ...changed })).toMatchObject({ code: 0 });
    const mailer = (password: string) => query(asService(url, "mailer", password), "select 1");
    await expect(mailer(passwords.MAILER_PASSWORD)).rejects.toMatchObject({ code: "28P01" });
    expect(await mailer(changed.MAILER_PASSWORD)).toHaveLength(1);
    expect(await runMigrate({ DATABASE_URL: url, ...passwords })).toMatchObject({ code: 0 });
  }, 60_000);

  it("moves keys into the database in KEYS_URL once, and reports how many", async () => {
    const url = await databaseOf("moving_owner", "superuser");
    await query(server.url, "create database keys_apart owner moving_owner");
    const apart = new URL(url);
    apart.pathname = "/keys_apart";
    expect(await runMigrate({ DATABASE_URL: url, ...passwords })).toMatchObject({ code: 0 });
    const before = await openKeyStore({ database: url, masterKeys: [masterKey] });
    const made = await before.ensure([{ subject: "account-x" }]);
    await before.close();
    const environment = { DATABASE_URL: url, KEYS_URL: apart.href, ...passwords };
    const first = await runMigrate(environment);
    expect(first.output).toMatch(
      /^Keys moved from DATABASE_URL to KEYS_URL: 1 subject keys, 0 of them destroyed, and \d+ service keys\.$/m,
    );
    const again = await runMigrate(environment);
    expect([first.code, again.code]).toEqual([0, 0]);
    expect(again.output).not.toContain("Keys moved");
    expect(await query(url, "select 1 from pg_namespace where nspname = 'keys'")).toEqual([]);
    const keys = await openKeyStore({
      database: asService(apart.href, "command-api", passwords.COMMAND_API_PASSWORD),
      masterKeys: [masterKey],
    });
    expect(await keys.get(["account-x"])).toEqual(made);
    await keys.close();
  }, 60_000);

  it("creates no roles without passwords, and accepts all five passwords or none", async () => {
    const url = await databaseOf("single_owner", "");
    expect(await runMigrate({ DATABASE_URL: url })).toMatchObject({
      code: 0,
      output: expect.stringContaining("All services share one role"),
    });
    const { MAILER_PASSWORD: _, ...others } = passwords;
    const { code, output } = await runMigrate({ DATABASE_URL: url, ...others });
    expect(code).toBe(1);
    expect(output).toContain("MAILER_PASSWORD is missing");
  }, 60_000);

  it("rejects a service role with more rights than the service needs", async () => {
    const url = await databaseOf("careful_owner", "superuser");
    await query(url, "alter role registry_mailer createdb");
    const { code, output } = await runMigrate({ DATABASE_URL: url, ...passwords });
    expect(code).toBe(1);
    expect(output).toContain("The role registry_mailer has more rights than a service may have");
    await query(url, "alter role registry_mailer nocreatedb");
  }, 60_000);

  it("is what a service under its own role asks for if tables are missing", async () => {
    const url = await databaseOf("waiting_owner");
    const own = asService(url, "query-api", passwords.QUERY_API_PASSWORD);
    const config = {
      version: "test",
      databaseUrl: own,
      eventStoreUrl: own,
      keysUrl: own,
      searchUrl: own,
      masterKeys: [masterKey],
      limits: "off" as const,
      trustProxyHops: 0,
      productName: "The Registry",
      supportEmail: "support@registry.test",
      staffSecondFactor: "off" as const,
      filesUrl: "file:///nothing/is/stored",
    };
    const log = createLogger({ name: "test", level: "silent" });
    const composed = composeQueryApi(config, log);
    await expect(composed).rejects.toThrow(CannotStart);
    await expect(composed).rejects.toThrow("npm run migrate");
  }, 60_000);
});
