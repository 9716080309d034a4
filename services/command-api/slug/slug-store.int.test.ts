import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { applyMigrations } from "#kit/db/migrate.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { SlugStore, slugMigrations } from "./slug-store.ts";

let database: TestDatabase;
let pool: pg.Pool;
let slugs: SlugStore;
const key = randomBytes(32);
beforeAll(async () => {
  database = await freshDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  await applyMigrations(pool, "command", slugMigrations);
  slugs = new SlugStore(pool, key);
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

it("gives many that come at once numbers of their own, without a gap", async () => {
  const claims = Array.from({ length: 40 }, claim);
  const name = (i: number) => ({ firstName: i % 2 ? "Ida" : "Max", lastName: "Moor" });
  const taken = await Promise.all(claims.map((each, i) => slugs.take(name(i), each)));
  const numbers = (base: string) => [
    base,
    ...Array.from({ length: 19 }, (_, i) => `${base}-${i + 2}`),
  ];
  const expected = [...numbers("ida-moor"), ...numbers("max-moor")];
  expect(taken.map(({ slug }) => slug).toSorted()).toEqual(expected.toSorted());
  const again = await Promise.all(claims.map((each, i) => slugs.take(name(i), each)));
  expect(again).toEqual(taken);
});

it("gives two retries at once the same slug", async () => {
  const mine = claim();
  const name = { firstName: "Eva", lastName: "Lang" };
  const taken = await Promise.all(Array.from({ length: 5 }, () => slugs.take(name, mine)));
  expect(new Set(taken.map(({ slug }) => slug)).size).toBe(1);
});

it("waits for no process in a circle that takes the same names in another order", async () => {
  const names = Array.from({ length: 40 }, (_, i) => `${"abcdefgh"[i >> 3]}${"abcdefgh"[i & 7]}x`);
  const run = async (list: readonly string[]) => {
    // A store a process, as far as gathering goes.
    const store = new SlugStore(pool, key);
    const found: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      const each = (lastName: string) => store.take({ firstName: "Jo", lastName }, claim());
      found.push(...(await Promise.all(list.map(each))).map(({ slug }) => slug));
    }
    return found;
  };
  const taken = await Promise.all([names, names.toReversed(), names, names.toReversed()].map(run));
  expect(new Set(taken.flat()).size).toBe(40 * 40);
});

it("notes what was confirmed, and sweeps what nobody appended", async () => {
  const [kept, stored, lost] = [claim(), claim(), claim()];
  for (const each of [kept, stored, lost])
    await slugs.take({ firstName: "Una", lastName: "Sand" }, each);
  slugs.confirm(kept.reportId, kept.commandId);
  await slugs.settled();
  const asked: string[] = [];
  const later = new Date(Date.now() + 60_000);
  const swept = await slugs.sweep(later, async (reportId) => {
    asked.push(reportId);
    return reportId !== lost.reportId;
  });
  expect(asked).toContain(lost.reportId);
  expect(asked).toContain(stored.reportId);
  expect(asked).not.toContain(kept.reportId);
  expect(swept).toBe(1);
});
