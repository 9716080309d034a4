import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CHECKPOINT_CHANNEL, formatCheckpointMessage } from "#read-model/checkpoint-channel.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { CheckpointWatcher } from "./read-your-writes.ts";

const EPOCH = "0e0c4f00-0000-4000-8000-000000000001";
const NEVER = 60_000;
let database: TestDatabase;
let db: pg.Pool;

beforeAll(async () => {
  database = await freshDatabase();
  db = new pg.Pool({ connectionString: database.url, max: 2 });
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

const notify = (position: string) =>
  db.query("select pg_notify($1, $2)", [
    CHECKPOINT_CHANNEL,
    formatCheckpointMessage({ processor: "reports", epoch: EPOCH, position }),
  ]);
const listeners = async () => {
  const { rows } = await db.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and application_name = 'query-api checkpoints'`,
  );
  return rows.map(({ pid }) => pid);
};

it("receives notifications, even after losing its connection", async () => {
  const errors: unknown[] = [];
  const told: string[] = [];
  let polls = 0;
  const watcher = new CheckpointWatcher({
    databaseUrl: database.url,
    readCheckpoints: async () => {
      polls += 1;
      return [];
    },
    onError: (error) => errors.push(error),
    onAdvance: (processor) => told.push(processor),
    timeoutMs: NEVER,
    pollMs: NEVER,
  });
  await watcher.start();
  const first = watcher.reach(["reports"], { epoch: EPOCH, position: "1" });
  await notify("1");
  expect(await first).toBe(true);
  expect(told).toEqual(["reports"]);

  const [pid] = await listeners();
  await db.query("select pg_terminate_backend($1)", [pid]);
  const second = watcher.reach(["reports"], { epoch: EPOCH, position: "2" });
  // It reads the checkpoints whenever it starts listening, so it misses none in between.
  await expect.poll(() => polls).toBe(2);
  await notify("2");
  expect(await second).toBe(true);
  expect(errors.length).toBeGreaterThan(0);

  await watcher.stop();
  await expect.poll(listeners).toEqual([]);
});
