import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrateWithRoles, urlsOf } from "#launcher/migrate/testing/service-roles.fixture.ts";
import { RESTART_CODE } from "#runtime/lifecycle/lifecycle.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { endProcesses, type ProcessName, startProcess, untilReady } from "./support/processes.ts";

const ADMIN = { email: "ann@registry.example", password: "Correct-horse-9" };
const MASTER_KEY = "ab".repeat(32);
/** A process's poll for requests, its wait of up to a minute, and its exit. */
const TIMEOUT_MS = 90_000;

let folder: string;
let database: TestDatabase;
let db: pg.Pool;

/** Starts a process again whenever it exits with the restart code, as Docker and Kubernetes do. */
function supervised(name: ProcessName, env: Record<string, string>) {
  const codes: (number | null)[] = [];
  const all = [startProcess(name, env)];
  const watch = () =>
    void all.at(-1)?.exited.then(({ code }) => {
      codes.push(code);
      if (code !== RESTART_CODE) return;
      all.push(startProcess(name, env));
      watch();
    });
  watch();
  return { codes, latest: () => all.at(-1) as (typeof all)[number] };
}

const at = (name: string) => `file://${path.join(folder, name)}`;
function envOf(name: "command-api" | "backup") {
  return {
    DATABASE_URL: urlsOf(database.url)[name],
    MASTER_KEY,
    FILES_URL: at("files"),
    ERASURES_URL: at("erasures"),
    SUPERVISED: "on",
  };
}

let commandApi: ReturnType<typeof supervised>;
let backup: ReturnType<typeof supervised>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-restarted-"));
  database = await freshDatabase();
  db = new pg.Pool({ connectionString: database.url, max: 2 });
  await migrateWithRoles(database.url, Buffer.from(MASTER_KEY, "hex"));
  commandApi = supervised("command-api", {
    ...envOf("command-api"),
    STAFF_SECOND_FACTOR: "off",
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  });
  backup = supervised("backup", {
    ...envOf("backup"),
    BACKUP_URL: at("archives"),
    BACKUP_KEYS_URL: at("archive-keys"),
  });
  await Promise.all([commandApi, backup].map((each) => untilReady(each.latest())));
}, 120_000);
afterAll(async () => {
  await endProcesses();
  await db.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs an action through the console's route. @returns how its job ended, and its lines. */
async function act(action: string) {
  const url = await commandApi.latest().url();
  const post = async (route: string, body: object, token?: string) => {
    const answer = await fetch(`${url}/prod/api/${route}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    return JSON.parse(text).data;
  };
  const { token } = await post("auth/login", ADMIN);
  const { job_id } = await post("system/actions", { action }, token);
  const job = async () =>
    (await db.query("select state, error_message from command.job where id = $1", [job_id]))
      .rows[0];
  await expect
    .poll(async () => (await job()).state, { timeout: TIMEOUT_MS })
    .not.toMatch(/^(queued|running|stopping)$/);
  const { rows } = await db.query(
    "select outcome, message from command.job_line where job_id = $1 order by number",
    [job_id],
  );
  return { ...(await job()), lines: rows };
}

describe("separate processes", { timeout: 180_000 }, () => {
  it("make a backup from the console, in a separate process under its own role", async () => {
    const { state, error_message, lines } = await act("backup");
    expect([state, error_message], backup.latest().output()).toEqual(["done", null]);
    expect(lines[0].message).toMatch(/^registry-\S+: \d+ events, 0 files, /);
    for (const place of ["archives", "archive-keys"])
      expect(await readdir(path.join(folder, place))).toEqual([
        expect.stringMatching(/^registry-.*\.tar\.zst$/),
        "registry-place.json",
      ]);
  });

  it("exit within a minute when an admin restarts them, and run again", async () => {
    const { state, error_message, lines } = await act("restart");
    expect([state, error_message]).toEqual(["done", null]);
    expect(lines).toEqual([
      { outcome: "done", message: expect.stringContaining("web and HAProxy aren't included") },
    ]);
    for (const { codes } of [commandApi, backup])
      await expect.poll(() => codes, { timeout: TIMEOUT_MS }).toEqual([RESTART_CODE]);
    await Promise.all([commandApi, backup].map((each) => untilReady(each.latest())));
  });
});
