import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrateWithRoles, urlsOf } from "#launcher/migrate/testing/service-roles.fixture.ts";
import type { ServiceName } from "#runtime/db/service-roles.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import {
  endProcesses,
  type ServiceProcess,
  startProcess,
  untilReady,
} from "./support/processes.ts";

const ADMIN = { email: "ann@registry.example", password: "Correct-horse-9" };
const MASTER_KEY = "ab".repeat(32);
const PUBLIC_URL = "http://registry.example";

let folder: string;
let database: TestDatabase;
let processes: Readonly<Record<ServiceName | "web", ServiceProcess>>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-debug-"));
  database = await freshDatabase();
  const { url } = database;
  await migrateWithRoles(url, Buffer.from(MASTER_KEY, "hex"));
  const at = (name: string) => `file://${path.join(folder, name)}`;
  const start = (name: ServiceName, env: Record<string, string>) =>
    startProcess(name, {
      DATABASE_URL: urlsOf(url)[name],
      MASTER_KEY,
      ...env,
    });
  const files = { FILES_URL: at("files") };
  const services = {
    "command-api": start("command-api", {
      ...files,
      STAFF_SECOND_FACTOR: "off",
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
    }),
    "query-api": start("query-api", { ...files, STAFF_SECOND_FACTOR: "off" }),
    projector: start("projector", {}),
    mailer: start("mailer", { PUBLIC_URL, SMTP_URL: at("mails") }),
    backup: start("backup", {
      ...files,
      BACKUP_URL: at("archives"),
      BACKUP_KEYS_URL: at("archive-keys"),
    }),
  };
  const web = startProcess("web", {
    PUBLIC_URL,
    QUERY_API_URL: await services["query-api"].url(),
    COMMAND_API_URL: await services["command-api"].url(),
  });
  processes = { ...services, web };
  await Promise.all(Object.values(processes).map(untilReady));
}, 180_000);
afterAll(async () => {
  await endProcesses();
  await database?.drop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Sends an admin's request to command-api. */
async function send(method: string, route: string, body: object, token?: string) {
  const answer = await fetch(`${await processes["command-api"].url()}/prod/api/${route}`, {
    method,
    headers: {
      "content-type": "application/json",
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return JSON.parse(text).data;
}

/**
 * Whether a process logs in detail. A probe is logged at debug level, and a POST where none is allowed is always
 * logged, so the test never waits for a line that does not come.
 */
async function isDetailed(service: ServiceProcess): Promise<boolean> {
  const url = await service.url();
  // web learns the setting when it renders a page.
  if (service.name === "web") await (await fetch(url)).text();
  const before = service.output().length;
  const since = () => service.output().slice(before);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await (await fetch(`${url}/healthz`, { method: "POST" })).text();
  await expect.poll(since).toMatch(/"level":"info".*"method":"POST".*"msg":"request"/);
  return since().includes('"level":"debug"');
}

async function detailed(): Promise<string[]> {
  const names = Object.entries(processes).map(async ([name, service]) =>
    (await isDetailed(service)) ? [name] : [],
  );
  return (await Promise.all(names)).flat();
}

it("turns detailed logging of every separate process on and off with the Debug Mode setting", async () => {
  const { token } = await send("POST", "auth/login", ADMIN);
  const set = (debugMode: boolean) => send("PUT", "system/settings", { debugMode }, token);
  expect(await detailed()).toEqual([]);
  await set(true);
  await expect.poll(detailed).toEqual(Object.keys(processes));
  await set(false);
  await expect.poll(detailed).toEqual([]);
  for (const service of Object.values(processes))
    expect(service.output()).not.toContain(ADMIN.email);
}, 120_000);
