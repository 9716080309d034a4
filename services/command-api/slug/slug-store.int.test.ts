import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { applyMigrations } from "#kit/db/migrate.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { SlugStore, slugMigrations } from "./slug-store.ts";

let database: TestDatabase;
let pool: pg.Pool;
let slugs: SlugStore;
beforeAll(async () => {
  database = await freshDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  await applyMigrations(pool, "command", slugMigrations);
  slugs = new SlugStore(pool, randomBytes(32));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const claim = () => ({
  reportId: randomUUID(),
  commandId: randomBytes(32).toString("hex"),
  now: new Date().toISOString(),
});

it("gives a command the same slug again, and every other command another", async () => {
  const mine = claim();
  const name = { firstName: "Quinn", lastName: "Ames" };
  const first = await slugs.take(name, mine);
  expect(first.slug).toBe("quinn-ames");
  expect(await slugs.take(name, mine)).toEqual(first);
  expect((await slugs.take(name, claim())).slug).toBe("quinn-ames-2");
});

it("gives nobody's slug to a command that is decided again under another name", async () => {
  const taken = await slugs.take({ firstName: "Bo", lastName: "Lund" }, claim());
  const mine = claim();
  await slugs.take({ firstName: "Al", lastName: "Lund" }, mine);
  const again = await slugs.take({ firstName: "Bo", lastName: "Lund" }, mine);
  expect(again.slug).toBe("bo-lund-2");
  expect(again.hash).not.toBe(taken.hash);
});
