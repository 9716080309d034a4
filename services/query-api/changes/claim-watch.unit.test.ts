import type pg from "pg";
import { expect, it } from "vitest";
import { readModelDatabase } from "#read-model/database.ts";
import { ClaimPoller } from "./change-feed.ts";

/** A watch over a database that returns what the test specifies. */
function watching() {
  const now: { claims: object[] | Error } = { claims: [] };
  let looks = 0;
  const query = async () => {
    looks += 1;
    if (now.claims instanceof Error) throw now.claims;
    return { command: "SELECT", rowCount: now.claims.length, rows: now.claims };
  };
  const pool = { connect: async () => ({ query, release: () => undefined }) };
  const errors: unknown[] = [];
  const watch = new ClaimPoller({
    db: readModelDatabase(pool as unknown as pg.Pool),
    onError: (error) => errors.push(error),
    pollMs: 1,
  });
  const lookedAgain = async () => {
    const before = looks;
    await expect.poll(() => looks).toBeGreaterThan(before + 2);
  };
  return { watch, now, errors, lookedAgain };
}

it("notices changes after the database was down at the first poll", async () => {
  const { watch, now, errors, lookedAgain } = watching();
  const away = new Error("away");
  now.claims = away;
  let told = 0;
  const stop = await watch.listen(() => {
    told += 1;
  });
  await lookedAgain();
  expect([told, errors]).toEqual([0, [away]]);
  now.claims = [{ report_id: "one" }];
  await expect.poll(() => told).toBe(1);
  await lookedAgain();
  expect(told).toBe(1);

  // The next outage is reported too, as are changes when it ends.
  now.claims = away;
  await expect.poll(() => errors).toEqual([away, away]);
  now.claims = [];
  await expect.poll(() => told).toBe(2);
  stop();
});
