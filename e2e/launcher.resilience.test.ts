import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { dataPaths } from "#launcher/data-folder.ts";
import { clusterProcesses, endLeftovers } from "#local-servers/postgres/open.ts";
import { readPostmaster } from "#local-servers/postgres/server.ts";
import { onDatabase } from "./support/database.ts";
import {
  type Registry,
  type RegistryOptions,
  spawnRegistry,
  spawnRegistryThroughNpm,
  startRegistry,
  untilPrinted,
} from "./support/registry.ts";

let scratch: string;
let dataDir: string;
const running = new Set<Registry>();

beforeAll(async () => {
  scratch = await mkdtemp(path.join(os.tmpdir(), "registry-launcher-"));
  dataDir = path.join(scratch, "data");
});
afterEach(async () => {
  for (const registry of running) registry.signal("SIGKILL");
  await Promise.all([...running].map(({ exited }) => exited));
  running.clear();
});
afterAll(async () => {
  await endLeftovers(dataPaths(dataDir).cluster);
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
});

async function start(options: Partial<RegistryOptions> = {}): Promise<Registry> {
  const registry = await startRegistry({ dataDir, ...options });
  running.add(registry);
  return registry;
}

/** Starts a registry that must refuse to start. @returns its output and exit code. */
async function refused(options: Partial<RegistryOptions>) {
  const registry = await spawnRegistry({ dataDir, ...options });
  running.add(registry);
  const { code } = await registry.exited;
  const lines = registry.output().trim().split("\n");
  return { code, sentence: lines.at(-1), output: registry.output() };
}

const status = async (url: string) => (await fetch(url)).status;
const ready = async (registry: Registry) => (await fetch(`${registry.url}/readyz`)).ok;

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition().catch(() => false)))
    await new Promise((resolve) => setTimeout(resolve, 50));
}

describe("npm start", () => {
  it("prints where everything is, protects its secrets, and stops cleanly on SIGTERM", async () => {
    const registry = await start({ env: { PUBLIC_URL: "https://registry.example" } });
    for (const line of [
      `Site:     ${registry.url}/`,
      `Console:  ${registry.url}/admin`,
      `API:      ${registry.url}/docs`,
      `Email:    files in ${dataDir}/mail (shown at /outbox only while the registry is reachable from this machine alone)`,
      "Public:   https://registry.example (in emails and canonical links)",
    ])
      expect(registry.output()).toContain(`${line}\n`);
    for (const place of ["/", "/admin", "/docs", "/healthz", "/readyz"])
      expect([place, await status(registry.url + place)]).toEqual([place, 200]);
    // A proxy on this machine may be calling for anyone.
    for (const place of ["/outbox", "/metrics"])
      expect([place, await status(registry.url + place)]).toEqual([place, 404]);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    for (const name of ["master-key", "database-password", "service-secret"])
      expect((await stat(path.join(dataDir, name))).mode & 0o777).toBe(0o600);
    // After ten seconds it would have given up, with exit code 1.
    expect(await registry.stop()).toBe(0);
    expect(await clusterProcesses(dataPaths(dataDir).cluster)).toEqual([]);
    expect(await readdir(dataDir)).not.toContain("instance.pid");
  });

  it("lets pages of the origins in CORS_ORIGINS call the API, and no others", async () => {
    const registry = await start({ env: { CORS_ORIGINS: "https://shop.example" } });
    const search = `${registry.url}/prod/api/reports/search?q=nobody`;
    const allowed = async (origin: string, method: "OPTIONS" | "GET") => {
      const headers = { origin, "access-control-request-method": "GET" };
      const answer = await fetch(search, { method, headers });
      return answer.headers.get("access-control-allow-origin");
    };
    for (const method of ["OPTIONS", "GET"] as const) {
      expect(await allowed("https://shop.example", method)).toBe("https://shop.example");
      expect(await allowed("https://other.example", method)).toBeNull();
    }
    expect(await registry.stop()).toBe(0);
  });

  it("serves while the job queue is down: emails are delayed, and /readyz says so", async () => {
    const registry = await start({ env: { JOBS_URL: "redis://127.0.0.1:1" } });
    expect(registry.output()).toContain("Not ready: mailer (see /readyz and the log)");
    await until(() => ready(registry));
    const answer = await fetch(`${registry.url}/readyz`);
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 200,
      body: {
        status: "degraded",
        services: {
          mailer: {
            status: "not_ready",
            checks: { mails: { ok: false, detail: { jobs: false } }, deletions: { ok: true } },
          },
        },
      },
    });
    expect(await status(`${registry.url}/prod/api/reports/search?q=nobody`)).toBe(200);
    expect(await registry.stop()).toBe(0);
  });

  it("restarts with the same data, and ignores a second Ctrl-C", async () => {
    const key = await readFile(path.join(dataDir, "master-key"), "utf8");
    const registry = await start();
    const { services } = (await (await fetch(`${registry.url}/readyz`)).json()) as {
      services: Record<string, { checks: { database: { detail: { rights: string } } } }>;
    };
    for (const [name, { checks }] of Object.entries(services))
      expect([name, checks.database.detail.rights]).toEqual([name, "own role"]);
    registry.signal("SIGINT");
    await untilPrinted(registry, /Stopping: requests and jobs/);
    registry.signal("SIGINT");
    expect(await registry.exited).toEqual({ code: 0, signal: null });
    expect(await readFile(path.join(dataDir, "master-key"), "utf8")).toBe(key);
  });

  it("stops immediately when interrupted during startup", async () => {
    const fresh = path.join(scratch, "interrupted");
    const registry = await spawnRegistry({ dataDir: fresh });
    running.add(registry);
    await untilPrinted(registry, /creating the database/);
    registry.signal("SIGTERM");
    expect(await registry.exited).toEqual({ code: 0, signal: null });
    expect(await clusterProcesses(dataPaths(fresh).cluster)).toEqual([]);
    const again = await start({ dataDir: fresh });
    expect(await again.stop()).toBe(0);
  });

  it("refuses a data folder in use by another instance, which keeps running", async () => {
    const first = await start();
    const { code, sentence } = await refused({});
    expect(code).toBe(1);
    expect(sentence).toBe(
      `The data folder ${dataDir} is in use by another instance (process ${first.pid}): stop that one, or choose another folder with DATA_DIR.`,
    );
    await until(() => ready(first));
    expect(await first.stop()).toBe(0);
  });

  it("waits for an instance that is stopping", async () => {
    const first = await start();
    first.signal("SIGTERM");
    await untilPrinted(first, /Stopping:/);
    const second = await start({ port: first.port });
    expect(await second.stop()).toBe(0);
  });

  it("refuses a port in use before it touches anything", async () => {
    const other = http.createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    const fresh = path.join(scratch, "taken");
    const { code, sentence } = await refused({ dataDir: fresh, port });
    other.close();
    expect(code).toBe(1);
    expect(sentence).toBe(`Port ${port} is taken by another program: set PORT to a free one.`);
    expect(await readdir(fresh)).not.toContain("postgres");
  });

  it.each([
    [{ PORT: "abc" }, "PORT must be a number from 0 (any free port) to 65535."],
    [{ HOST: "203.0.113.9" }, "HOST names 203.0.113.9, which is not an address of this machine."],
    [
      { HOST: "0.0.0.0", RATE_LIMIT: "off" },
      "RATE_LIMIT=off is for load tests on this machine, and HOST is 0.0.0.0: leave one of them out.",
    ],
    [
      { DATA_DIR: "/dev/null" },
      /^The data folder \/dev\/null can't be created because a file with that name/,
    ],
  ])("refuses %o with one sentence", async (env: Record<string, string>, expected) => {
    const { code, sentence } = await refused({ env });
    expect(code).toBe(1);
    expect(sentence).toEqual(
      typeof expected === "string" ? expected : expect.stringMatching(expected),
    );
  });

  it("refuses a data folder from a newer version", async () => {
    const fresh = await mkdtemp(path.join(scratch, "newer-"));
    await writeFile(path.join(fresh, "layout-version"), "99\n");
    const { code, sentence } = await refused({ dataDir: fresh });
    expect(code).toBe(1);
    expect(sentence).toMatch(/was written by a newer version of this program \(layout 99/);
    expect(await readdir(fresh)).toEqual(["layout-version"]);
  });

  it("refuses a wrong master key, and accepts the right one afterwards", async () => {
    const { code, sentence } = await refused({
      env: { MASTER_KEY: randomBytes(32).toString("hex") },
    });
    expect(code).toBe(1);
    expect(sentence).toMatch(/^The data cannot be opened: the master key is not the one/);
    const registry = await start();
    expect(await registry.stop()).toBe(0);
  });
});

describe("npm start after a SIGKILL", () => {
  it("of the launcher ends the PostgreSQL left running and starts again", async () => {
    const first = await start();
    const { pid: left } = await readPostmaster(dataPaths(dataDir).cluster);
    first.signal("SIGKILL");
    await first.exited;
    expect(await clusterProcesses(dataPaths(dataDir).cluster)).toContain(left);
    const second = await start({ port: first.port });
    expect(second.output()).toContain(
      "ended a PostgreSQL server that an earlier start had left running",
    );
    await until(() => ready(second));
    expect(await second.stop()).toBe(0);
  });

  it("of PostgreSQL exits with one sentence, and the next start works", async () => {
    const first = await start();
    const { pid } = await readPostmaster(dataPaths(dataDir).cluster);
    process.kill(pid as number, "SIGKILL");
    expect((await first.exited).code).toBe(1);
    expect(first.output().trim().split("\n").at(-1)).toBe(
      "PostgreSQL ended unexpectedly (SIGKILL): start again, the data is kept.",
    );
    const second = await start();
    expect(await second.stop()).toBe(0);
  });

  it("of one of PostgreSQL's processes recovers by itself", async () => {
    const registry = await start();
    const { cluster } = dataPaths(dataDir);
    const { pid: postmaster } = await readPostmaster(cluster);
    const before = (await clusterProcesses(cluster)).filter((pid) => pid !== postmaster);
    // A long-lived connection; others are opened and closed all the time.
    const { rows } = await onDatabase(dataDir, (client) =>
      client.query<{ pid: number }>("select pid from processor.lease limit 1"),
    );
    process.kill(rows[0]?.pid as number, "SIGKILL");
    // PostgreSQL then ends all of its processes and starts again.
    await until(async () => {
      const after = await clusterProcesses(cluster);
      return !before.some((pid) => after.includes(pid));
    });
    await until(() => ready(registry));
    await until(async () => (await status(`${registry.url}/`)) === 200);
    expect(await registry.stop()).toBe(0);
  });

  it("of npm alone does not leave the registry running", async () => {
    const first = await spawnRegistryThroughNpm({ dataDir });
    running.add(first);
    await untilPrinted(first, /^Ready after /m);
    first.signal("SIGKILL");
    await untilPrinted(first, /^Stopping:/m);
    const second = await start({ port: first.port });
    await until(() => ready(second));
    expect(await second.stop()).toBe(0);
  });
});
