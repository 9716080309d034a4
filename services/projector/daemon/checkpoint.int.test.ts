import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readModelPool } from "#read-model/database.ts";
import type { TestDatabase } from "#test-kit/database.ts";
import { registryDatabase } from "#test-kit/registry-database.ts";
import {
  advanceCheckpoint,
  type Checkpoint,
  createCheckpoint,
  readCheckpoint,
  replaceCheckpoint,
  takeOwnership,
} from "./checkpoint.ts";
import { CheckpointReplaced } from "./errors.ts";

let database: TestDatabase;
let pool: pg.Pool;
let client: pg.PoolClient;
let token: string;
let start: Checkpoint;

const at = (n: number) => String(n).padStart(20, "0");
const EPOCH = randomUUID();

beforeAll(async () => {
  database = await registryDatabase();
  pool = readModelPool(database.url, { name: "test", max: 4 });
  client = await pool.connect();
});
afterAll(async () => {
  client.release();
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  await client.query("truncate processor.checkpoint, processor.parked_stream");
  await createCheckpoint(client, "reports");
  token = randomUUID();
  await takeOwnership(client, "reports", token);
  start = (await readCheckpoint(client, "reports")) as Checkpoint;
});

const advance = (from: Checkpoint, position: string, by = token) =>
  advanceCheckpoint(client, from, { position, epoch: EPOCH }, by);

describe("a checkpoint", () => {
  it("is moved by its owner from its current position, and reports parked streams", async () => {
    const first = await advance(start, at(5));
    expect(first).toEqual({
      checkpoint: { processor: "reports", position: at(5), epoch: EPOCH, generation: 0 },
      parked: new Set(),
    });
    await client.query(
      "insert into processor.parked_stream values ('reports', 'report-1', $1), ('audit', 'x', $1)",
      [at(1)],
    );
    const second = await advance(first.checkpoint, at(6));
    expect(second.parked).toEqual(new Set(["report-1"]));
    expect(await readCheckpoint(client, "reports")).toEqual(second.checkpoint);
  });

  it("is not moved from another position", async () => {
    await advance(start, at(5));
    await expect(advance(start, at(6))).rejects.toMatchObject({ code: "checkpoint_moved" });
  });

  it("is not moved by a previous owner, even if everything else matches", async () => {
    await takeOwnership(client, "reports", randomUUID());
    await expect(advance(start, at(5))).rejects.toMatchObject({ code: "lease_lost" });
    expect(await readCheckpoint(client, "reports")).toEqual(start);
  });

  it("is not moved once a rebuild has replaced it, even at the same position", async () => {
    const { checkpoint } = await advance(start, at(5));
    await replaceCheckpoint(client, "reports", { position: at(5), epoch: EPOCH });
    await expect(advance(checkpoint, at(6))).rejects.toThrow(CheckpointReplaced);
    const replaced = (await readCheckpoint(client, "reports")) as Checkpoint;
    expect(replaced).toMatchObject({ position: at(5), generation: 1 });
    expect((await advance(replaced, at(6))).checkpoint.generation).toBe(1);
  });

  it.each([
    ["position", `position = '${at(4)}'`],
    ["epoch", `epoch = '${randomUUID()}'`],
    ["generation", "generation = 1"],
    ["checksum", "checksum = 'x'"],
  ])("whose %s was changed from outside is detected", async (_, change) => {
    const { checkpoint } = await advance(start, at(5));
    await client.query(`update processor.checkpoint set ${change}`);
    const damaged = { code: "checkpoint_damaged" };
    await expect(readCheckpoint(client, "reports")).rejects.toMatchObject(damaged);
    await expect(advance(checkpoint, at(6))).rejects.toMatchObject(damaged);
  });

  it("that is missing is not recreated", async () => {
    await client.query("delete from processor.checkpoint");
    expect(await readCheckpoint(client, "reports")).toBeUndefined();
    await expect(advance(start, at(5))).rejects.toMatchObject({ code: "checkpoint_missing" });
  });
});
