import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import path from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { installCommandTables } from "#command-tables/install.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { WrongMasterKey } from "#vault/keys/key-store.ts";
import { composeQueryApi } from "./composition.ts";
import type { QueryApiConfig } from "./config.ts";

const masterKey = randomBytes(32);
const log = pino({ level: "silent" });
let database: TestDatabase;
let db: pg.Pool;

beforeAll(async () => {
  database = await freshDatabase();
  db = new pg.Pool({ connectionString: database.url, max: 1 });
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

function config(overrides: Partial<QueryApiConfig> = {}): QueryApiConfig {
  const { url } = database;
  return {
    version: "test",
    databaseUrl: url,
    eventStoreUrl: url,
    keysUrl: url,
    searchUrl: url,
    masterKeys: [masterKey],
    limits: "on",
    trustProxyHops: 0,
    processMetrics: false,
    productName: "The Registry",
    supportEmail: "support@registry.test",
    staffSecondFactor: "off",
    filesUrl: "file:///nothing/is/stored",
    ...overrides,
  };
}

/** Shorter than the time after which a pool closes idle connections on its own. */
const soon = { timeout: 5_000 };
const connections = async () => {
  const { rows } = await db.query(
    `select application_name from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  return rows;
};

it("is ready once command-api has created its tables, and leaves no connections behind", async () => {
  const service = await composeQueryApi(config(), log);
  await service.start();
  const readiness = async () => (await service.app.inject("/readyz")).json();
  expect(await readiness()).toMatchObject({
    status: "not_ready",
    checks: {
      database: {
        ok: false,
        detail: { accounts: false, views: false, rights: "one role for all" },
      },
      event_log: { ok: true },
      search: { ok: true },
    },
  });
  await installCommandTables(db);
  // The result is cached for one second.
  await expect.poll(readiness).toMatchObject({ status: "ready" });
  await service.stop();
  await expect.poll(connections, soon).toEqual([]);
});

it.each([
  ["a wrong master key", { masterKeys: [randomBytes(32)] }, WrongMasterKey],
  ["a search engine that there is no adapter for", { searchUrl: "ftp://x.example" }, /SEARCH_URL/],
])("rejects %s and closes what it had opened", async (_name, overrides, error) => {
  await expect(composeQueryApi(config(overrides), log)).rejects.toThrow(error);
  await expect.poll(connections, soon).toEqual([]);
});

it("trusts forwarded addresses only on the instance behind proxies", async () => {
  const service = await composeQueryApi(config(), log);
  const behindProxy = await service.buildApp(1);
  const search = (app: typeof behindProxy, address: string) =>
    app.inject({
      url: "/prod/api/reports/search?q=x",
      headers: { "x-forwarded-for": address },
    });
  for (let n = 0; n < 12; n += 1)
    expect((await search(behindProxy, `203.0.113.${n}`)).statusCode).toBe(200);
  for (let n = 0; n < 10; n += 1)
    expect((await search(service.app, `203.0.113.${n}`)).statusCode).toBe(200);
  expect((await search(service.app, "203.0.113.99")).statusCode).toBe(429);
  await service.stop();
});

it("runs as a separate process, and stops cleanly on SIGTERM", async () => {
  const port = await freePort();
  const child = run({
    DATABASE_URL: database.url,
    MASTER_KEY: masterKey.toString("hex"),
    FILES_URL: "file:///nothing/is/stored",
    PORT: String(port),
  });
  const ended = once(child, "exit");
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/prod/api/reports/recent`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(answers, { timeout: 20_000, interval: 50 }).toBe(200);
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

it("does not start without its required variables, and reports what is missing", async () => {
  const child = run({});
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, "close");
  expect(code).toBe(1);
  expect(said).toContain("DATABASE_URL is missing");
  expect(said).toContain("MASTER_KEY is missing");
});

function run(environment: Record<string, string>): ChildProcess {
  const main = path.join(import.meta.dirname, "main.ts");
  return spawn(process.execPath, [main], { env: environment, stdio: ["ignore", "ignore", "pipe"] });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
