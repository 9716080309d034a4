import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import type { BackupReport, BackupRun, RunBackup } from "#operations/backup-table.ts";
import { BackupKeeper } from "./backup-keeper.ts";

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

/** A keeper with its requests, and what it has reported. */
function keeper(asked: string[], make: RunBackup) {
  const said: { id: string; bytes?: number; report?: BackupReport }[] = [];
  const world = { isWanted: true, isAway: false, asked };
  const requests = {
    async take() {
      if (world.isAway) throw new Error("away");
      const id = world.asked.shift();
      return id === undefined ? undefined : { id, task: { task: "make", byHand: true } as const };
    },
    async beat(id: string, bytes: number) {
      said.push({ id, bytes });
      return world.isWanted;
    },
    async end(id: string, report: BackupReport) {
      if (world.isAway) throw new Error("away");
      said.push({ id, report });
    },
  };
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const times = { lookMs: 2, beatMs: 2 };
  const made = new BackupKeeper({ requests, make, log: quiet, times });
  onTestFinished(() => made.stop());
  const ends = () => said.filter(({ report }) => report);
  return { keeper: made, said, ends, world };
}
const untilStopped = (signal: AbortSignal, _run: BackupRun) =>
  new Promise<BackupReport>((resolve) =>
    signal.addEventListener("abort", () => resolve({ outcome: "failed", reason: "other" })),
  );

it("makes the requested backups one at a time, and reports progress and results", async () => {
  let running = 0;
  let most = 0;
  const {
    keeper: one,
    ends,
    said,
  } = keeper(["a", "b"], async (_, { wrote }) => {
    most = Math.max(most, ++running);
    wrote(7);
    await delay(20);
    running -= 1;
    return MADE;
  });
  one.start();
  await expect.poll(ends).toEqual([
    { id: "a", report: MADE },
    { id: "b", report: MADE },
  ]);
  expect(most).toBe(1);
  expect(said).toContainEqual({ id: "a", bytes: 7 });
});

it("stops a backup that is no longer wanted", async () => {
  const { keeper: one, ends, world } = keeper(["a"], untilStopped);
  world.isWanted = false;
  one.start();
  await expect.poll(ends).toEqual([{ id: "a", report: { outcome: "failed", reason: "lost" } }]);
});

it("stops the running backup when its process ends, reports that, and starts no more", async () => {
  const { keeper: one, ends, said, world } = keeper(["a"], untilStopped);
  one.start();
  await expect.poll(() => said.length).toBeGreaterThan(0);
  world.asked.push("b");
  await one.stop();
  expect(ends()).toEqual([{ id: "a", report: { outcome: "failed", reason: "lost" } }]);
  expect(world.asked).toEqual(["b"]);
});

it("reports the result once the database is back", async () => {
  const {
    keeper: one,
    ends,
    world,
  } = keeper(["a"], async () => {
    world.isAway = true;
    return MADE;
  });
  one.start();
  await delay(15);
  world.isAway = false;
  await expect.poll(ends).toEqual([{ id: "a", report: MADE }]);
});
