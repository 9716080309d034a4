import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import type { BackupReport, RunBackup } from "#operations/backup-table.ts";
import { BackupKeeper, BackupRequests } from "#services/backup/backup-keeper.ts";
import { askedBackups } from "#services/command-api/system/backup-schedule.ts";
import type { TestDatabase } from "#test-kit/database.ts";
import { registryDatabase } from "#test-kit/registry-database.ts";
import { log } from "./support/restored.ts";

const MADE: BackupReport = {
  outcome: "made",
  name: "registry-1",
  events: 1,
  files: 0,
  bytes: 10,
  removed: 0,
  kept: 1,
  notes: [],
};
const TASK = { task: "check", name: "registry-1" } as const;

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await registryDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 6 });
}, 60_000);
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => pool.query("delete from ops.backup"));

/** A caller that requests a backup. */
function wanting(isLeft = false) {
  const stop = new AbortController();
  const id = randomUUID();
  const told: number[] = [];
  const make = askedBackups({ pool, log, times: { lookMs: 20, awayMs: 500 } });
  const run = {
    id,
    task: TASK,
    isLeft: () => isLeft,
    wrote: (bytes: number) => void told.push(bytes),
  };
  const report = make(stop.signal, run);
  onTestFinished(async () => {
    stop.abort();
    await report;
  });
  return { id, report, told, stop: () => stop.abort() };
}
/** A process that makes backups. */
function keeper(make: RunBackup) {
  const requests = new BackupRequests(pool, randomUUID());
  const made = new BackupKeeper({ requests, make, log, times: { lookMs: 20, beatMs: 20 } });
  made.start();
  onTestFinished(() => made.stop());
  return made;
}
const rows = async () =>
  (await pool.query("select id, report from ops.backup order by asked_at")).rows;
const untilStopped: RunBackup = (signal) =>
  new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve({ outcome: "failed", reason: "other" })),
  );

it("passes on the task, its progress and its result", async () => {
  keeper(async (_, { task, wrote }) => {
    expect(task).toEqual(TASK);
    wrote(4_000_000_000);
    await delay(150);
    return MADE;
  });
  const { report, told } = wanting();
  expect(await report).toEqual(MADE);
  expect(told).toContain(4_000_000_000);
});

it("makes one backup at a time, however many callers and processes there are", async () => {
  let running = 0;
  let most = 0;
  const make: RunBackup = async () => {
    most = Math.max(most, ++running);
    await delay(100);
    running -= 1;
    return MADE;
  };
  for (let count = 0; count < 2; count += 1) keeper(make);
  const reports = await Promise.all([wanting(), wanting(), wanting()].map(({ report }) => report));
  expect(reports).toEqual([MADE, MADE, MADE]);
  expect(most).toBe(1);
});

it("stops when a caller stops it, and leaves no row", async () => {
  const begun = Promise.withResolvers<AbortSignal>();
  keeper((signal, run) => {
    begun.resolve(signal);
    return untilStopped(signal, run);
  });
  const one = wanting();
  const signal = await begun.promise;
  one.stop();
  await one.report;
  expect(await rows()).toEqual([]);
  await expect.poll(() => signal.aborted).toBe(true);
});

it("continues when a command-api exits, and another one gets the result", async () => {
  let made = 0;
  const finish = Promise.withResolvers<void>();
  keeper(async () => {
    made += 1;
    await finish.promise;
    return MADE;
  });
  const first = wanting(true);
  await expect.poll(() => made).toBe(1);
  first.stop();
  await first.report;
  const stop = new AbortController();
  const run = { id: first.id, task: TASK, isLeft: () => false, wrote: () => undefined };
  const second = askedBackups({ pool, log, times: { lookMs: 20, awayMs: 500 } })(stop.signal, run);
  finish.resolve();
  expect(await second).toEqual(MADE);
  expect(made).toBe(1);
});

it("stops a backup that no caller has polled for a minute, so that it blocks no other", async () => {
  const begun = Promise.withResolvers<AbortSignal>();
  keeper((signal, run) => {
    begun.resolve(signal);
    return untilStopped(signal, run);
  });
  const dead = wanting(true);
  const signal = await begun.promise;
  dead.stop();
  await dead.report;
  await pool.query("update ops.backup set wanted_at = now() - interval '61 seconds'");
  await expect.poll(() => signal.aborted).toBe(true);
  const next = wanting();
  await expect.poll(async () => (await rows()).map(({ id }) => id)).toContain(next.id);
});

it("reports that no process makes backups, or that it disappeared, and frees the slot", async () => {
  const absent = wanting();
  await expect.poll(async () => (await rows()).length).toBe(1);
  await pool.query("update ops.backup set asked_at = now() - interval '46 seconds'");
  expect(await absent.report).toEqual({ outcome: "failed", reason: "absent" });
  const lost = wanting();
  await expect.poll(async () => (await rows()).length).toBe(1);
  await pool.query(
    "update ops.backup set runner = gen_random_uuid(), beat_at = now() - interval '46 seconds'",
  );
  expect(await lost.report).toEqual({ outcome: "failed", reason: "lost" });
  expect(await rows()).toEqual([]);
});
