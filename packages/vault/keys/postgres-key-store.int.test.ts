import { randomBytes } from "node:crypto";
import { createServer, type Socket } from "node:net";
import { Pool } from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { keyStoreContract } from "./contract-suite.ts";
import { KeyBroken, type KeyStore, KeyStoreUnavailable, WrongMasterKey } from "./key-store.ts";
import { type MasterKeySource, makeCheck } from "./master-ring.ts";
import { openKeyStore } from "./postgres-key-store.ts";

const AT = "2026-11-02T10:20:30.456Z";
/** Milliseconds. Only the tests of the time limit may reach it. */
const PATIENT = 20_000;

const made: TestDatabase[] = [];
async function database(): Promise<string> {
  const db = await freshDatabase();
  made.push(db);
  return db.url;
}
afterAll(async () => {
  for (const db of made) await db.drop();
});

keyStoreContract("postgres", async () =>
  openKeyStore({
    database: await database(),
    masterKeys: [randomBytes(32)],
    timeoutMs: PATIENT,
    pollMs: 50,
  }),
);

describe("the key store on PostgreSQL", () => {
  const master = randomBytes(32);
  let url: string;
  let pool: Pool;
  const open: KeyStore[] = [];

  async function openWith(masterKeys: MasterKeySource): Promise<KeyStore> {
    const store = await openKeyStore({ database: url, masterKeys, timeoutMs: PATIENT });
    open.push(store);
    return store;
  }

  beforeEach(async () => {
    url = await database();
    pool = new Pool({ connectionString: url });
  });
  afterEach(async () => {
    for (const store of open.splice(0)) await store.close();
    await pool.end();
  });

  async function stateOf(store: KeyStore, subject: string) {
    return (await store.get([subject])).get(subject);
  }

  it("gives the same keys to every process and after a restart", async () => {
    const stores = await Promise.all([1, 2, 3, 4].map(() => openWith([master])));
    const names = await Promise.all(stores.map((store) => store.serviceKey("slugs")));
    await (stores[0] as KeyStore).ensure([{ subject: "personal-1" }]);
    const lookups = await Promise.all(stores.map((store) => stateOf(store, "personal-1")));
    const later = await openWith([master]);
    for (const name of names) expect(name).toEqual(await later.serviceKey("slugs"));
    for (const lookup of lookups) expect(lookup).toEqual(await stateOf(later, "personal-1"));
  });

  it("returns the existing key when it is requested much later", async () => {
    const store = await openWith([master]);
    const request = { subject: "personal-1" };
    const first = (await store.ensure([request])).get("personal-1");
    // Long enough ago that the time is recorded again, which touches the row.
    await pool.query("update keys.subject_key set ensured_at = now() - interval '2 hours'");
    expect((await store.ensure([request])).get("personal-1")).toEqual(first);
    expect(await stateOf(store, "personal-1")).toEqual(first);
    const { rows } = await pool.query(
      "select ensured_at > now() - interval '1 hour' as noted from keys.subject_key",
    );
    expect(rows).toEqual([{ noted: true }]);
  });

  it("does not open with a wrong master key, and changes nothing", async () => {
    const store = await openWith([master]);
    await store.ensure([{ subject: "personal-1" }]);
    await expect(openWith([randomBytes(32)])).rejects.toThrow(WrongMasterKey);
    const again = await openWith([master]);
    expect((await stateOf(again, "personal-1"))?.state).toBe("present");
  });

  it("stores no key in the clear, and nothing at all of a destroyed one", async () => {
    const store = await openWith([master]);
    await store.ensure([{ subject: "personal-1" }]);
    const lookup = await stateOf(store, "personal-1");
    if (lookup?.state !== "present") throw new Error("no key");
    const row = async () =>
      (await pool.query("select * from keys.subject_key where subject = 'personal-1'")).rows[0];
    const { wrapped } = await row();
    expect(wrapped.includes(lookup.key)).toBe(false);
    expect(wrapped.includes(master)).toBe(false);
    await store.destroy(["personal-1"], AT);
    expect(await row()).toMatchObject({ wrapped: null, key_version: null });
    expect((await row()).destroyed_at.toISOString()).toBe(AT);
  });

  it("sees immediately what another process destroyed", async () => {
    const [a, b] = [await openWith([master]), await openWith([master])];
    await a.ensure([{ subject: "personal-1" }]);
    expect((await stateOf(b, "personal-1"))?.state).toBe("present");
    await a.destroy(["personal-1"], AT);
    expect(await stateOf(b, "personal-1")).toEqual({ state: "destroyed", at: AT });
  });

  it("rejects a key that was moved to another subject", async () => {
    const store = await openWith([master]);
    await store.ensure([{ subject: "personal-1" }, { subject: "personal-2" }]);
    await pool.query(`update keys.subject_key set wrapped =
      (select wrapped from keys.subject_key where subject = 'personal-2')
      where subject = 'personal-1'`);
    await expect(store.get(["personal-1"])).rejects.toThrow(KeyBroken);
  });

  describe("rotation", () => {
    const next = randomBytes(32);

    it("works while processes that know both keys are running", async () => {
      const former = await openWith([master]);
      await former.ensure([{ subject: "personal-old" }]);
      const old = await stateOf(former, "personal-old");
      const running = await openWith([next, master]);

      let done = false;
      const written: string[] = [];
      const writer = (async () => {
        for (let i = 0; !done || i < 20; i += 1) {
          const subject = `personal-${i}`;
          await running.ensure([{ subject }]);
          expect((await stateOf(running, subject))?.state).toBe("present");
          written.push(subject);
        }
      })();
      const rotator = await openWith([master]);
      await rotator.rotate(next);
      done = true;
      await writer;

      const after = await openWith([next]);
      expect(await stateOf(after, "personal-old")).toEqual(old);
      const states = [...(await after.get(written)).values()].map((entry) => entry.state);
      expect(new Set(states)).toEqual(new Set(["present"]));
      const versions = await pool.query("select distinct key_version from keys.subject_key");
      expect(versions.rows).toEqual([{ key_version: 2 }]);
      await expect(openWith([master])).rejects.toThrow(/replaced by a rotation/);
    });

    it("lets no writer add a key under the previous version once it has begun", async () => {
      const running = await openWith([next, master]);
      const rotation = await pool.connect();
      await rotation.query("begin");
      await rotation.query("update keys.master_key set superseded_at = now() where version = 1");
      await rotation.query("insert into keys.master_key (version, check_box) values (2, $1)", [
        makeCheck(next, 2),
      ]);
      const writing = running.ensure([{ subject: "personal-1" }]);
      await vi.waitFor(async () => {
        const waiting = await pool.query(
          `select 1 from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(waiting.rowCount).toBeGreaterThan(0);
      }, 30_000);
      await rotation.query("commit");
      rotation.release();
      await writing;
      const { rows } = await pool.query("select key_version from keys.subject_key");
      expect(rows).toEqual([{ key_version: 2 }]);
    });

    it("is picked up by a process whose key source changes with it", async () => {
      const keys = [master];
      const running = await openWith(() => keys);
      await running.ensure([{ subject: "personal-1" }]);
      const before = await stateOf(running, "personal-1");
      keys.unshift(next);
      await (await openWith(() => keys)).rotate(next);
      keys.pop();
      expect(await stateOf(running, "personal-1")).toEqual(before);
      await running.ensure([{ subject: "personal-2" }]);
      expect((await stateOf(running, "personal-2"))?.state).toBe("present");
    });

    it("stops a process that has only the previous key, instead of reporting keys as missing", async () => {
      const running = await openWith([master]);
      await running.ensure([{ subject: "personal-1" }]);
      await (await openWith([master])).rotate(next);
      await expect(running.get(["personal-1"])).rejects.toThrow(WrongMasterKey);
      await expect(running.ensure([{ subject: "personal-2" }])).rejects.toThrow(WrongMasterKey);
    });

    it("resumes where it was interrupted, and needs the previous key until it is finished", async () => {
      const subjects = Array.from({ length: 1200 }, (_, i) => ({ subject: `personal-${i}` }));
      const store = await openWith([master]);
      await store.ensure(subjects);
      const cut = store.rotate(next, (done) => {
        if (done >= 500) throw new Error("cut off");
      });
      await expect(cut).rejects.toThrow("cut off");
      await expect(openWith([next])).rejects.toThrow(/MASTER_KEY_PREVIOUS/);
      const resumed = await openWith([next, master]);
      expect(await resumed.rotate(next)).toBe(700);
      const after = await openWith([next]);
      const found = await after.get(subjects.map((entry) => entry.subject));
      expect([...found.values()].every((entry) => entry.state === "present")).toBe(true);
    });
  });

  it("reports that it is unreachable when nothing listens", async () => {
    const nowhere = openKeyStore({
      database: "postgres://u:p@127.0.0.1:1/x",
      masterKeys: [master],
    });
    await expect(nowhere).rejects.toThrow(KeyStoreUnavailable);
  });

  it("times out when the database hangs", async () => {
    const store = await openKeyStore({ database: url, masterKeys: [master], timeoutMs: 1500 });
    open.push(store);
    const blocker = await pool.connect();
    await blocker.query("begin");
    await blocker.query("lock table keys.subject_key in access exclusive mode");
    await expect(store.get(["personal-1"])).rejects.toThrow(KeyStoreUnavailable);
    await blocker.query("rollback");
    blocker.release();
    expect(await stateOf(store, "personal-1")).toEqual({ state: "missing" });
  });

  it("times out when the server accepts and then stays silent", async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as { port: number };
    const opening = openKeyStore({
      database: `postgres://u:p@127.0.0.1:${port}/x`,
      masterKeys: [master],
      timeoutMs: 200,
    });
    await expect(opening).rejects.toThrow(KeyStoreUnavailable);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
});
