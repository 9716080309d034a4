import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installCommandTables } from "#command-tables/install.ts";
import { isDatabaseUnavailable } from "#runtime/db/pool.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { PROOF_SECONDS } from "./auth.ts";
import { createPostgresAccountGate } from "./postgres-account-gate.ts";

describe("the account gate on PostgreSQL", () => {
  let db: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    db = await freshDatabase();
    pool = new Pool({ connectionString: db.url });
    await installCommandTables(pool);
  });
  afterAll(async () => {
    await pool.end();
    await db.drop();
  });

  it("returns role, status and proof if the token version and session match, else null", async () => {
    const gate = createPostgresAccountGate(pool);
    const [id, banned] = [randomUUID(), randomUUID()];
    const [session, other] = [randomUUID(), randomUUID()];
    const addAccount = `insert into command.account (id, role, status, token_version, email_sealed,
      email_blind, password_hash, created_at) values ($1, $2, $3, $4, '{}', gen_random_uuid(), '', now())`;
    const addSession = `insert into command.session (id, account_id, expires_at, started_at,
      last_used_at, noted_at) values ($1, $2, now() + interval '1 day', now(), now(), now())`;
    await pool.query(addAccount, [id, "admin", "active", 3]);
    await pool.query(addAccount, [banned, "user", "banned", 1]);
    await pool.query(addSession, [session, id]);
    await pool.query(addSession, [other, banned]);
    expect(await gate.check(id, 3, session)).toEqual({
      role: "admin",
      active: true,
      proved: false,
    });
    expect(await gate.check(banned, 1, other)).toEqual({
      role: "user",
      active: false,
      proved: false,
    });
    for (const [seconds, proved] of [
      [PROOF_SECONDS - 10, true],
      [PROOF_SECONDS, false],
    ] as const) {
      const shown = "update command.session set proved_at = now() - $1 * interval '1 second'";
      await pool.query(shown, [seconds]);
      expect(await gate.check(id, 3, session)).toMatchObject({ proved });
    }
    expect(await gate.check(id, 2, session)).toBeNull();
    expect(await gate.check(randomUUID(), 1, session)).toBeNull();
    for (const not of [other, randomUUID()]) expect(await gate.check(id, 3, not)).toBeNull();
    const columns = { ended_at: "null", expires_at: "now() + interval '1 day'" };
    for (const column of ["ended_at", "expires_at"] as const) {
      await pool.query(`update command.session set ${column} = now()`);
      expect(await gate.check(id, 3, session)).toBeNull();
      await pool.query(`update command.session set ${column} = ${columns[column]}`);
      expect(await gate.check(id, 3, session)).not.toBeNull();
    }
    await pool.query("update command.account set token_version = 4 where id = $1", [id]);
    expect(await gate.check(id, 3, session)).toBeNull();
  });

  it("refuses staff who did nothing for the configured time, and records activity only if enabled", async () => {
    const reads = createPostgresAccountGate(pool, { staffIdleMinutes: () => 5 });
    const writes = createPostgresAccountGate(pool, {
      staffIdleMinutes: () => 5,
      recordsActivity: true,
    });
    const [id, session] = [randomUUID(), randomUUID()];
    await pool.query(
      `insert into command.account (id, role, status, token_version, email_sealed, email_blind,
         password_hash, created_at) values ($1, 'auditor', 'active', 1, '{}', gen_random_uuid(), '', now())`,
      [id],
    );
    await pool.query(
      `insert into command.session (id, account_id, expires_at, started_at, last_used_at, noted_at)
       values ($1, $2, now() + interval '1 day', now(), now(), now())`,
      [session, id],
    );
    const idle = (seconds: number) =>
      pool.query(
        "update command.session set active_at = now() - $2 * interval '1 second' where id = $1",
        [session, seconds],
      );
    await idle(240);
    expect(await reads.check(id, 1, session)).not.toBeNull();
    await idle(300);
    for (const gate of [reads, writes]) expect(await gate.check(id, 1, session)).toBeNull();
    await idle(280);
    await reads.check(id, 1, session);
    const usedAgo = async () =>
      (
        await pool.query(
          "select extract(epoch from now() - active_at)::int as ago from command.session where id = $1",
          [session],
        )
      ).rows[0].ago;
    expect(await usedAgo()).toBeGreaterThanOrEqual(280);
    await writes.check(id, 1, session);
    expect(await usedAgo()).toBeLessThan(280);
    await pool.query("update command.account set role = 'user' where id = $1", [id]);
    await idle(100_000);
    expect(await writes.check(id, 1, session)).not.toBeNull();
  });
});

describe("isDatabaseUnavailable", () => {
  async function failure(pool: Pool, text: string): Promise<unknown> {
    try {
      await pool.query(text);
      return undefined;
    } catch (error) {
      return error;
    }
  }

  it("distinguishes an unavailable database from an invalid query", async () => {
    const db = await freshDatabase();
    const pool = new Pool({ connectionString: db.url });
    pool.on("error", () => undefined);
    expect(isDatabaseUnavailable(await failure(pool, "select 1 / 0"))).toBe(false);
    expect(isDatabaseUnavailable(await failure(pool, "selekt"))).toBe(false);
    const killed = await failure(pool, "select pg_terminate_backend(pg_backend_pid())");
    expect(isDatabaseUnavailable(killed)).toBe(true);
    await pool.end();
    expect(isDatabaseUnavailable(await failure(pool, "select 1"))).toBe(true);
    const nowhere = new Pool({ connectionString: "postgres://u:p@127.0.0.1:1/x" });
    expect(isDatabaseUnavailable(await failure(nowhere, "select 1"))).toBe(true);
    await nowhere.end();
    await db.drop();
  });
});
