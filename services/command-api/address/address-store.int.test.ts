import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestDatabase } from "#test-kit/database.ts";
import { registryDatabase } from "#test-kit/registry-database.ts";
import { AddressStore } from "./address-store.ts";

let database: TestDatabase;
let pool: pg.Pool;
const key = randomBytes(32);

beforeAll(async () => {
  database = await registryDatabase();
  pool = new pg.Pool({ connectionString: database.url });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const named = (first_name: string, last_name: string) => ({ first_name, last_name });

it("gives the plain name to the first report, and a random suffix to the others", async () => {
  const store = new AddressStore(pool, key);
  expect(await store.take(named("Quinn", "Ames"), randomUUID())).toBe("quinn-ames");
  const others = await Promise.all(
    Array.from({ length: 20 }, () => store.take(named("Quinn", "Ames"), randomUUID())),
  );
  for (const slug of others) expect(slug).toMatch(/^quinn-ames-[a-z]{6}$/);
  expect(new Set(others).size).toBe(20);
});

it("never assigns a slug twice, not even to the same report", async () => {
  const store = new AddressStore(pool, key);
  const id = randomUUID();
  const taken: string[] = [];
  for (let n = 0; n < 4; n += 1) taken.push(await store.take(named("Bo", "Lund"), id));
  expect(new Set(taken).size).toBe(4);
  expect(taken.map((slug) => slug.length)).toEqual([7, 14, 14, 14]);
});

it("assigns a plain name to only one of many concurrent processes", async () => {
  const stores = Array.from({ length: 8 }, () => new AddressStore(pool, key));
  const taken = await Promise.all(
    stores.map((store) => store.take(named("Ida", "Moor"), randomUUID())),
  );
  expect(taken.filter((slug) => slug === "ida-moor")).toHaveLength(1);
  expect(new Set(taken).size).toBe(8);
});

it("stores only keyed hashes", async () => {
  const { rows } = await pool.query("select to_jsonb(a) as row from command.address a");
  expect(rows.length).toBeGreaterThan(0);
  for (const { row } of rows)
    expect(row).toEqual({ slug_hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
});
