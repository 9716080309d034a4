import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTcpProxy, type TcpProxy } from "#event-store/contract/tcp-proxy.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { eventually } from "#test-kit/reached-position.ts";
import {
  endProcesses,
  type ProcessName,
  type ServiceProcess,
  startProcess,
  untilReady,
} from "./support/processes.ts";
import { expectWaiting } from "./support/silence.ts";

const MASTER_KEY = "ab".repeat(32);

let database: TestDatabase;
let folder: string;
let network: TcpProxy;
/** The database's URL through the network that tests cut. */
let distant: URL;

beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-away-"));
  const { hostname, port } = new URL(database.url);
  network = await startTcpProxy({ host: hostname, port: Number(port) });
  distant = new URL(database.url);
  distant.host = `127.0.0.1:${network.port}`;
});
afterEach(async () => {
  await endProcesses();
  network.restore();
});
afterAll(async () => {
  await network.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

function settings(): Record<string, string> {
  return {
    DATABASE_URL: distant.href,
    MASTER_KEY,
    FILES_URL: `file://${folder}/files`,
    SMTP_URL: `file://${folder}/mail`,
    PUBLIC_URL: "http://127.0.0.1",
  };
}

/** Returns the URL at which a process says that it waits. */
async function waitingAt(started: ServiceProcess): Promise<string> {
  const found = () => /"msg":"Waiting at (http:\/\/[^"]+)"/.exec(started.output())?.[1];
  const ended = () => started.child.exitCode !== null;
  await eventually(
    `${started.name} waits`,
    () => {
      if (ended()) throw new Error(`it exited:\n${started.output()}`);
      return found() !== undefined;
    },
    60_000,
  );
  return found() as string;
}

describe("a process whose stores are unavailable at startup", { timeout: 120_000 }, () => {
  it.each<ProcessName>(["command-api", "query-api", "projector", "mailer"])(
    "waits, names them to operators only, and starts when they are back: %s",
    async (name) => {
      network.cut();
      const started = startProcess(name, settings());
      const url = await waitingAt(started);
      const ready = await fetch(`${url}/readyz`);
      expect(ready.status).toBe(503);
      expect(await ready.json()).toMatchObject({
        status: "not_ready",
        service: name,
        checks: { database: { ok: false }, start: { ok: false } },
      });
      await expectWaiting(url);
      expect(distant.password).not.toBe("");
      for (const secret of [`:${distant.password}@`, MASTER_KEY])
        expect(started.output()).not.toContain(secret);
      network.restore();
      // Only the mailer needs another service in order to start.
      if (name === "mailer") startProcess("command-api", settings());
      expect(await untilReady(started)).toBe(url);
      started.child.kill("SIGTERM");
      expect(await started.exited).toEqual({ code: 0, signal: null });
    },
  );

  it("names the one store that is unavailable", async () => {
    network.cut();
    const env = { ...settings(), DATABASE_URL: database.url, KEYS_URL: distant.href };
    const started = startProcess("command-api", env);
    const url = await waitingAt(started);
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({
      checks: { database: { ok: true }, event_log: { ok: true }, keys: { ok: false } },
    });
    network.restore();
    await untilReady(started);
  });

  it("stops when told to while it waits", async () => {
    network.cut();
    const started = startProcess("query-api", settings());
    await waitingAt(started);
    started.child.kill("SIGTERM");
    expect(await started.exited).toEqual({ code: 0, signal: null });
  });

  it("exits with a sentence once a store that comes back refuses it for good", async () => {
    network.cut();
    const wrong = new URL(distant);
    wrong.pathname = "/nothing";
    const started = startProcess("projector", { ...settings(), DATABASE_URL: wrong.href });
    await waitingAt(started);
    network.restore();
    expect(await started.exited).toEqual({ code: 1, signal: null });
    expect(started.output()).toMatch(/^A database rejected the connection \(SQLSTATE 3D000\)/m);
  });
});
