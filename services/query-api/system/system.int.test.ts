import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import type { SystemStatus } from "#contracts/http/system.ts";
import { ProcessReporter } from "#operations/process-reporter.ts";
import { seenServers } from "#operations/running-server.ts";
import { type Fixture, startQueryApi } from "../testing/query-api.fixture.ts";
import { PolledProcesses, polledServers } from "./asked-processes.ts";

let service: Fixture;
beforeAll(async () => {
  service = await startQueryApi();
});
afterAll(() => service.close());

const reporters: ProcessReporter[] = [];
beforeEach(() => Promise.all(reporters.splice(0).map((reporter) => reporter.stop())));

/** The status from a new process, since each process caches its own checks. */
async function status(): Promise<SystemStatus> {
  const { app } = await service.startProcess();
  const headers = service.headersOf("admin");
  const reply = await app.inject({ url: "/prod/api/system/status", headers });
  expect(reply.statusCode).toBe(200);
  return reply.json().data;
}

function mailer(check: () => Promise<unknown>): ProcessReporter {
  const reporter = new ProcessReporter({
    pool: service.db,
    service: "mailer",
    parts: [{ part: "email", mode: "external", check }],
    log: { warn: () => undefined },
  });
  reporters.push(reporter);
  return reporter;
}

it("checks its own stores, and shows mode and duration of each", async () => {
  const { database, s3, parts } = await status();
  expect({ database, s3 }).toEqual({ database: "connected", s3: "connected" });
  const named = Object.fromEntries(parts.map(({ part, ...rest }) => [part, rest]));
  expect(named).toMatchObject({
    database: { status: "connected", mode: "external", ms: expect.any(Number) },
    event_log: { status: "connected" },
    search: { status: "connected" },
    s3: { status: "connected", mode: "embedded" },
  });
});

it("shows the last email status reported by a mailer, and none once no mailer runs", async () => {
  expect((await status()).email).toBe("disconnected");
  await mailer(async () => undefined).beat();
  expect((await status()).email).toBe("connected");
  await reporters[0]?.stop();
  await mailer(() => Promise.reject(Object.assign(new Error("x"), { code: "EAUTH" }))).beat();
  expect((await status()).email).toBe("error");
});

it("shows each process's usage, and a killed one as gone", async () => {
  await mailer(async () => undefined).beat();
  await service.db.query(
    `insert into ops.process (id, process_id, service, version, uptime_seconds, memory_bytes,
       cpu_share, parts, processors, beat_at)
     values (gen_random_uuid(), gen_random_uuid(), 'projector', '0.1.0', 5, 1000, 0, '[]',
       '[{"name":"reports","state":"live","seconds_behind":3,"parked":0}]', now() - interval '1 minute')`,
  );
  const { processes, processors, memory, uptime } = await status();
  const gone = processes.find(({ state }) => state === "gone");
  expect(gone).toMatchObject({ services: ["projector"], memory: 1000 });
  expect(gone?.reported).toBeGreaterThanOrEqual(60);
  expect(processors).toEqual([]);
  const running = processes.filter(({ state }) => state === "running");
  expect(running.flatMap(({ services }) => services)).toContain("mailer");
  expect(memory).toBe(running.reduce((sum, process) => sum + process.memory, 0));
  expect(uptime).toBeLessThan(3600);
});

it("contains no address, credential or error message", async () => {
  await mailer(() => Promise.reject(new Error("smtp://user:secret@mail.example refused"))).beat();
  const text = JSON.stringify(await status());
  expect(text).not.toMatch(/secret|mail\.example|127\.0\.0\.1|postgres:|file:/);
});

it("runs the checks once for concurrent requests", async () => {
  const { app } = service.api;
  const headers = service.headersOf("admin");
  const ask = async () =>
    (await app.inject({ url: "/prod/api/system/status", headers })).json().data.checked_at;
  const times = await Promise.all(Array.from({ length: 20 }, ask));
  expect(new Set(times).size).toBeLessThanOrEqual(3);
});

it("removes a process that stops cleanly, and those of its service that ended long ago", async () => {
  await service.db.query("update ops.process set beat_at = now() - interval '2 hours'");
  const reporter = mailer(async () => undefined);
  await reporter.beat();
  const mailers = async () =>
    (await service.db.query("select id from ops.process where service = 'mailer'")).rowCount;
  expect(await mailers()).toBe(1);
  await reporter.stop();
  expect(await mailers()).toBe(0);
});

it("logs once that it cannot report, and continues", async () => {
  const warnings: unknown[] = [];
  let isDown = true;
  const reporter = new ProcessReporter({
    pool: {
      query: (async () => {
        if (isDown) throw new Error("down");
      }) as never,
    },
    service: "mailer",
    parts: [],
    log: { warn: (warning: unknown) => warnings.push(warning) } as never,
  });
  await reporter.beat();
  await reporter.beat();
  expect(warnings).toHaveLength(1);
  isDown = false;
  await reporter.beat();
  isDown = true;
  await reporter.beat();
  expect(warnings).toHaveLength(2);
});

it("lists the backups as last seen, and nothing before the first one", async () => {
  const { app } = await service.startProcess();
  const headers = service.headersOf("admin");
  const look = async () => {
    const reply = await app.inject({ url: "/prod/api/system/backups", headers });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json().data;
  };
  expect(await look()).toEqual({});
  await service.db.query("insert into ops.backup_place (pair) values (gen_random_uuid())");
  expect(await look()).toEqual({});
  const list = {
    archives: "/mnt/backups",
    keys: "s3://host/bucket/keys/",
    backups: [
      {
        name: "registry-2026-11-23t02-00-00-000z",
        made_at: "2026-11-23T02:00:00.000Z",
        bytes: 1_234,
        state: "other_key",
        key_versions: [1],
        current_key: false,
        by_hand: true,
      },
    ],
  };
  await service.db.query("update ops.backup_place set list = $1, listed_at = $2", [
    JSON.stringify(list),
    "2026-11-23T02:00:05Z",
  ]);
  expect(await look()).toEqual({ listed_at: "2026-11-23T02:00:05.000Z", list });
});

it("shows OpenSearch's version, and that it is too old", async () => {
  const engine = http.createServer((request, response) => {
    const body = request.url === "/" ? { version: { number: "3.7.0" } } : {};
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  engine.listen(0, "127.0.0.1");
  await once(engine, "listening");
  onTestFinished(() => void engine.close());
  const { port } = engine.address() as AddressInfo;
  const database = "postgres://u:p@127.0.0.1:5432/x";
  const servers = polledServers(
    { searchUrl: `http://127.0.0.1:${port}?index=x`, databaseUrl: database } as never,
    { pool: service.db, asked: new PolledProcesses([]) },
  );
  const reporter = new ProcessReporter({
    pool: service.db,
    service: "query-api",
    parts: [],
    servers: seenServers(servers),
    log: { warn: () => undefined },
  });
  reporters.push(reporter);
  await reporter.beat();
  expect((await status()).old_servers).toEqual([
    expect.stringMatching(/^OpenSearch 3\.7\.0 is older/),
  ]);
});
