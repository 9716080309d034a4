import { randomBytes } from "node:crypto";
import { Pool } from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { freshDatabase } from "#test-kit/database.ts";
import type { KeyLookup, KeyStore } from "#vault/keys/key-store.ts";
import { openKeyStore } from "#vault/keys/postgres-key-store.ts";
import { moveKeys } from "./move-keys.ts";

const EARLIER = "2026-11-02T10:20:30.456Z";
const master = randomBytes(32);
const next = randomBytes(32);

let opened: AsyncDisposableStack;
let from: string;
let to: string;
let old: Pool;
let moved: Pool;

beforeEach(async () => {
  opened = new AsyncDisposableStack();
  [from, to] = [await database(), await database()];
  [old, moved] = [await pool(from), await pool(to)];
});
afterEach(() => opened.disposeAsync());

async function database(): Promise<string> {
  const made = await freshDatabase();
  opened.defer(() => made.drop());
  return made.url;
}

async function pool(url: string): Promise<Pool> {
  const made = new Pool({ connectionString: url, max: 3 });
  made.on("error", () => undefined);
  opened.defer(() => made.end());
  return made;
}

async function store(url: string, ...masterKeys: Buffer[]): Promise<KeyStore> {
  const made = await openKeyStore({ database: url, masterKeys, timeoutMs: 20_000 });
  opened.defer(() => made.close());
  return made;
}

/** Creates keys for the subjects, and the service keys. */
async function fill(url: string, ...subjects: string[]): Promise<KeyStore> {
  const keys = await store(url, master);
  await keys.ensure(subjects.map((subject) => ({ subject, owner: "user-1" })));
  await keys.serviceKey("slugs");
  await keys.liveKey("tokens");
  return keys;
}

async function lookup(keys: KeyStore, subject: string): Promise<KeyLookup | undefined> {
  return (await keys.get([subject])).get(subject);
}

async function hasSchema(sql: Pool): Promise<boolean> {
  return (await sql.query("select 1 from pg_namespace where nspname = 'keys'")).rows.length > 0;
}

/** All rows of all key tables, as text. */
async function rows(sql: Pool): Promise<string[]> {
  const found = await sql.query<{ row: string }>(
    `select 'master' || to_jsonb(t)::text as row from keys.master_key t
     union all select 'subject' || to_jsonb(t)::text from keys.subject_key t
     union all select 'service' || to_jsonb(t)::text from keys.service_key t order by row`,
  );
  return found.rows.map(({ row }) => row);
}

/**
 * Moves the keys until the move waits for a table that the test has locked, then cuts its
 * connection. To the database this looks like a killed process.
 */
async function moveAndDieAt(held: Pool, lock: string): Promise<void> {
  const holder = await held.connect();
  await holder.query("begin");
  await holder.query(lock);
  const moving = moveKeys({ from, to });
  const cut = expect(moving).rejects.toThrow();
  await vi.waitFor(
    async () => {
      const waiting = await held.query(
        `select 1 from pg_stat_activity where datname = current_database()
         and application_name = 'migrate keys' and wait_event_type = 'Lock'`,
      );
      expect(waiting.rows).toHaveLength(1);
    },
    { timeout: 30_000 },
  );
  await held.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'migrate keys' and datname = any($1)`,
    [[from, to].map((url) => new URL(url).pathname.slice(1))],
  );
  await cut;
  await holder.query("rollback");
  holder.release();
}

/** The copy is committed, but the old tables cannot be dropped while one is being read. */
const dieBeforeTheDrop = () =>
  moveAndDieAt(old, "lock table keys.subject_key in access share mode");

describe("keys that move into a separate database", () => {
  it("are all in the new database, unchanged, and gone from the old one", async () => {
    const before = await fill(from, "personal-1", "reporter-1", "personal-gone");
    await before.destroy(["personal-gone", "personal-never-made"], EARLIER);
    await before.replaceServiceKey("tokens", 0);
    await before.rotate(next);
    await before.ensure([{ subject: "personal-1" }]);
    await old.query("create schema other; create table other.thing (id int)");
    const [all, key] = [await rows(old), await lookup(before, "personal-1")];
    const slugs = await before.serviceKey("slugs");
    expect(await moveKeys({ from, to })).toEqual({ subjectKeys: 4, destroyed: 2, serviceKeys: 3 });
    expect(await hasSchema(old)).toBe(false);
    await old.query("select from other.thing");
    expect(await rows(moved)).toEqual(all);
    const after = await store(to, next);
    expect(await lookup(after, "personal-1")).toEqual(key);
    expect(await lookup(after, "personal-gone")).toEqual({ state: "destroyed", at: EARLIER });
    expect(await after.ownedBy("user-1")).toHaveLength(3);
    expect(await after.serviceKey("slugs")).toEqual(slugs);
  });

  it("stay in place if there is nothing to move, or both URLs name one database", async () => {
    expect(await moveKeys({ from, to })).toBeUndefined();
    expect([await hasSchema(old), await hasSchema(moved)]).toEqual([false, false]);
    await fill(from, "personal-1");
    const all = await rows(old);
    const other = new URL(from);
    other.hostname = other.hostname === "localhost" ? "127.0.0.1" : "localhost";
    expect(await moveKeys({ from, to: other.href })).toBeUndefined();
    expect(await rows(old)).toEqual(all);
    await moveKeys({ from, to });
    expect(await moveKeys({ from, to })).toBeUndefined();
    expect(await rows(moved)).toEqual(all);
  });

  it("move once if two processes move them concurrently", async () => {
    await fill(from, "personal-1");
    const both = await Promise.all([moveKeys({ from, to }), moveKeys({ from, to })]);
    expect(both.filter(Boolean)).toEqual([{ subjectKeys: 1, destroyed: 0, serviceKeys: 2 }]);
    expect(await hasSchema(old)).toBe(false);
  });

  it("move into an existing empty store", async () => {
    const before = await fill(from, "personal-1");
    const key = await lookup(before, "personal-1");
    await store(to, master);
    expect(await moveKeys({ from, to })).toMatchObject({ subjectKeys: 1 });
    expect(await lookup(await store(to, master), "personal-1")).toEqual(key);
  });

  it("stay in place if the copy is interrupted, and move on the next run", async () => {
    await fill(from, "personal-1");
    const all = await rows(old);
    await store(to, master);
    await moveAndDieAt(moved, "lock table keys.subject_key in access exclusive mode");
    expect(await rows(old)).toEqual(all);
    expect((await moved.query("select from keys.subject_key")).rowCount).toBe(0);
    await moveKeys({ from, to });
    expect(await rows(moved)).toEqual(all);
    expect(await hasSchema(old)).toBe(false);
  });

  it("are in both places if killed before the drop; the next run drops the old ones", async () => {
    await fill(from, "personal-1");
    const all = await rows(old);
    await dieBeforeTheDrop();
    expect([await rows(old), await rows(moved)]).toEqual([all, all]);
    expect(await moveKeys({ from, to })).toEqual({ subjectKeys: 1, destroyed: 0, serviceKeys: 2 });
    expect([await hasSchema(old), await rows(moved)]).toEqual([false, all]);
  });

  it("are rejected if the target holds other keys, and both databases keep theirs", async () => {
    await fill(from, "personal-1");
    await fill(to, "personal-2");
    const both = [await rows(old), await rows(moved)];
    const refused = moveKeys({ from, to });
    await expect(refused).rejects.toThrow(Refusal);
    await expect(refused).rejects.toThrow(
      /^DATABASE_URL and KEYS_URL hold different keys of .* Nothing was moved\./,
    );
    expect([await rows(old), await rows(moved)]).toEqual(both);
  });

  it("are rejected if used in the new place in between, so that none is restored", async () => {
    await fill(from, "personal-1", "personal-2");
    await dieBeforeTheDrop();
    await (await store(to, master)).destroy(["personal-1"], EARLIER);
    const both = [await rows(old), await rows(moved)];
    await expect(moveKeys({ from, to })).rejects.toThrow("different keys of personal-1: ");
    expect([await rows(old), await rows(moved)]).toEqual(both);
  });

  it("are not dropped if one of them was not copied", async () => {
    await fill(from, "personal-1", "personal-2");
    await store(to, master);
    await moved.query(`
      create function lose() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger lose before insert on keys.subject_key for each row
        when (new.subject = 'personal-2') execute function lose()`);
    await expect(moveKeys({ from, to })).rejects.toThrow("different keys of personal-2: ");
    expect(await hasSchema(old)).toBe(true);
    expect((await moved.query("select from keys.subject_key")).rowCount).toBe(0);
  });

  it("are not dropped if they include a table that is not copied", async () => {
    await fill(from, "personal-1");
    await old.query("create table keys.thing (id int)");
    await expect(moveKeys({ from, to })).rejects.toThrow("holds the table thing");
    expect(await hasSchema(old)).toBe(true);
  });
});
