import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTcpProxy, type TcpProxy } from "#event-store/contract/tcp-proxy.ts";
import { type OwnServer, startOwnServer } from "#test-kit/own-server.ts";
import { type Registry, spawnRegistry, untilPrinted } from "./support/registry.ts";
import { expectWaiting } from "./support/silence.ts";

const MASTER_KEY = randomBytes(32).toString("hex");
const READY = /^Press Ctrl-C to stop\.$/m;
const nowhere = "127.0.0.1:1";

let database: OwnServer;
/** URL of another, empty database. */
let empty: string;
let folder: string;
let network: TcpProxy;
/** The database's URL through the network that tests cut. */
let distant: URL;
const running = new Set<Registry>();

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-waits-"));
  database = await startOwnServer();
  await execute(database.url, "create database empty");
  const other = new URL(database.url);
  other.pathname = "/empty";
  empty = other.href;
  const { hostname, port } = new URL(database.url);
  network = await startTcpProxy({ host: hostname, port: Number(port) });
  distant = new URL(database.url);
  distant.host = `127.0.0.1:${network.port}`;
});
afterEach(async () => {
  for (const registry of running) registry.signal("SIGKILL");
  await Promise.all([...running].map(({ exited }) => exited));
  running.clear();
  network.restore();
});
afterAll(async () => {
  await network?.close();
  await database?.dispose();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Starts the registry on external stores, all of them in the database. */
async function start(env: Record<string, string> = {}): Promise<Registry> {
  const { url } = database;
  const stores = { DATABASE_URL: url, EVENT_STORE_URL: url, KEYS_URL: url, JOBS_URL: url };
  const registry = await spawnRegistry({
    dataDir: path.join(folder, "data"),
    env: { ...stores, MASTER_KEY, ...env },
  });
  running.add(registry);
  return registry;
}

const linesOf = (registry: Registry, start: string) =>
  registry
    .output()
    .split("\n")
    .filter((line) => line.trim().startsWith(start));

const everyStore = () => {
  const { href } = distant;
  return { DATABASE_URL: href, EVENT_STORE_URL: href, KEYS_URL: href, JOBS_URL: href };
};

const otherPassword = () => {
  const wrong = new URL(distant);
  wrong.password = "another";
  return wrong.href;
};

const otherName = () => {
  const wrong = new URL(distant);
  wrong.pathname = "/nothing";
  return wrong.href;
};

const STORES = {
  DATABASE_URL: "database",
  EVENT_STORE_URL: "event_log",
  KEYS_URL: "keys",
  JOBS_URL: "jobs",
} as const;

describe("npm start with unavailable stores", { timeout: 120_000 }, () => {
  it("waits, names them once, keeps answering, and starts when all are back", async () => {
    await using networks = new AsyncDisposableStack();
    const byVariable = new Map<string, TcpProxy>();
    const env: Record<string, string> = {};
    for (const variable of Object.keys(STORES)) {
      const own = await startTcpProxy({ host: distant.hostname, port: network.port });
      networks.defer(() => own.close());
      own.cut();
      byVariable.set(variable, own);
      const url = new URL(distant);
      url.port = String(own.port);
      env[variable] = url.href;
    }
    const registry = await start(env);
    for (const [variable, own] of byVariable) {
      const away = Object.keys(env).slice(Object.keys(env).indexOf(variable));
      const names = away.map((name) => `${name} \\(\\w+\\)`).join(", ");
      await untilPrinted(registry, new RegExp(`^ *waiting for ${names}$`, "m"));
      const stores = Object.entries(STORES).map(([name, store]) => [
        store,
        { ok: !away.includes(name) },
      ]);
      const checks = { ...Object.fromEntries(stores), start: { ok: false } };
      // Check results are cached for a moment.
      await expect
        .poll(() => readiness(registry))
        .toMatchObject([503, { status: "not_ready", checks }]);
      if (away.length === 1) await expectWaiting(registry.url);
      own.restore();
    }
    await untilPrinted(registry, READY);
    expect(linesOf(registry, "waiting")).toHaveLength(byVariable.size);
    for (const secret of [`:${distant.password}@`, MASTER_KEY])
      expect(registry.output()).not.toContain(secret);
    await expect.poll(() => readiness(registry)).toMatchObject([200, {}]);
    expect(await registry.stop()).toBe(0);
  });

  it.each([
    ["refuses connections", () => network.cut()],
    ["says nothing", () => network.swallow()],
  ])("stops when told to while a store %s", async (_how, fail) => {
    fail();
    const registry = await start(everyStore());
    await untilPrinted(registry, /site and console: ready/);
    registry.signal("SIGINT");
    expect(await registry.exited).toEqual({ code: 0, signal: null });
    expect(registry.output()).not.toContain("Not everything was finished in time");
  });

  it.each([
    ["a missing database", otherName, /^A database rejected the connection \(SQLSTATE 3D000\)/],
    ["a wrong password", otherPassword, /^A database rejected the connection \(SQLSTATE 28P01\)/],
  ])(
    "exits with a sentence once a store that comes back refuses it for good: %s",
    async (_what, url, sentence) => {
      network.cut();
      const registry = await start({ DATABASE_URL: url() });
      await untilPrinted(registry, /waiting for DATABASE_URL/);
      network.restore();
      expect((await registry.exited).code).toBe(1);
      expect(registry.output().trim().split("\n").at(-1)).toMatch(sentence);
    },
  );

  describe("on stores that have been used", () => {
    beforeAll(async () => {
      const registry = await start();
      await untilPrinted(registry, READY);
      await registry.stop();
    });
    it.each([
      [
        "another master key",
        () => ({ MASTER_KEY: randomBytes(32).toString("hex") }),
        /^The data cannot be opened/,
      ],
      [
        "the log of another registry",
        () => ({ DATABASE_URL: empty, KEYS_URL: empty, JOBS_URL: empty }),
        /^The stores do not belong together/,
      ],
      ["a missing database", () => ({ EVENT_STORE_URL: otherName() }), /SQLSTATE 3D000/],
      ["a wrong password", () => ({ KEYS_URL: otherPassword() }), /SQLSTATE 28P01/],
    ])("does not wait for what waiting can't fix: %s", async (_what, env, sentence) => {
      const registry = await start(env());
      expect((await registry.exited).code).toBe(1);
      expect(linesOf(registry, "waiting")).toEqual([]);
      expect(registry.output().trim().split("\n").at(-1)).toMatch(sentence);
    });
  });

  it("starts without stores that only a part needs, and says which part", async () => {
    const registry = await start({
      SEARCH_URL: `http://${nowhere}`,
      RATE_LIMIT_URL: `redis://${nowhere}`,
      JOBS_URL: `redis://${nowhere}`,
      SMTP_URL: `smtp://${nowhere}?requireTLS=false`,
      FILES_URL: `s3://key:secret@${nowhere}/bucket?tls=false`,
    });
    await untilPrinted(registry, READY);
    expect(linesOf(registry, "waiting")).toEqual([]);
    for (const part of ["query-api", "projector", "mailer"])
      expect(registry.output()).toContain(`Not ready: ${part} (see /readyz and the log)`);
    expect((await fetch(`${registry.url}/prod/api/reports/recent`)).status).toBe(200);
    expect(await registry.stop()).toBe(0);
  });
});

async function readiness({ url }: Registry): Promise<unknown[]> {
  const answer = await fetch(`${url}/readyz`);
  return [answer.status, await answer.json()];
}
