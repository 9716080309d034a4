import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";
import { costOf } from "../testing/rows-read.ts";
import { findSessions, SESSIONS_LISTED } from "./sessions.queries.ts";

const DAY_MS = 24 * 3_600_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS);

const service = forFile(() => startQueryApi());
let me: string;
beforeAll(async () => {
  me = service.accounts.user;
  // The caller's own session was last used now.
  await service.db.query("update command.session set last_used_at = now()");
});

interface Columns {
  readonly account_id?: string;
  readonly last_used_at?: Date;
  readonly expires_at?: Date;
  readonly ended_at?: Date;
}

async function addSession(columns: Columns = {}): Promise<string> {
  const id = randomUUID();
  const usual = { account_id: me, last_used_at: ago(1), expires_at: ago(-1), ended_at: null };
  const row = { ...usual, ...columns };
  await service.db.query(
    `insert into command.session
       (id, account_id, started_at, last_used_at, noted_at, expires_at, ended_at)
     values ($1, $2, $3, $4, $4, $5, $6)`,
    [id, row.account_id, ago(2), row.last_used_at, row.expires_at, row.ended_at],
  );
  return id;
}

/** Appends the session's events, and adds their audit log entries. */
async function addUses(id: string, ...events: object[]): Promise<void> {
  const happened = events.map((event) => ({ event, role: "user", command: "SignIn" }));
  for (const stored of await service.append(`session-${id}`, happened as never))
    await service.addEntry(stored);
}
const started = () => ({
  type: "SessionStarted",
  data: {
    account_id: me,
    method: "password",
    device: "new",
    account_revision: 0,
    expires_at: ago(-1).toISOString(),
  },
});

async function list() {
  const reply = await service.get("/prod/api/auth/sessions", { as: "user" });
  expect(reply.statusCode).toBe(200);
  expect(reply.headers["cache-control"]).toBe("no-store");
  return reply.json().data.sessions;
}
const idsOf = (sessions: { id: string }[]) => sessions.map(({ id }) => id);

describe("the list of the caller's sessions", () => {
  it("shows the current one first, each with device and network, and never a full IP address", async () => {
    const id = await addSession();
    await addUses(id, started(), { type: "SessionUsed", data: {} });
    const sessions = await list();
    expect(sessions).toEqual([
      {
        id: me,
        started_at: "2026-01-02T03:04:05.678Z",
        last_used_at: expect.any(String),
        current: true,
      },
      {
        id,
        started_at: expect.any(String),
        last_used_at: expect.any(String),
        current: false,
        device: "Firefox on Linux",
        network: "203.0.x.x",
      },
    ]);
  });

  it("omits ended sessions and other people's", async () => {
    const over = [
      await addSession({ ended_at: ago(0.1) }),
      await addSession({ expires_at: ago(0.1) }),
      await addSession({ last_used_at: ago(14.01) }),
      await addSession({ account_id: service.accounts.admin }),
    ];
    const used = await addSession({ last_used_at: ago(13.9) });
    const ids = idsOf(await list());
    for (const id of over) expect(ids).not.toContain(id);
    expect(ids).toContain(used);
  });

  it("is rejected without a session", async () => {
    expect((await service.get("/prod/api/auth/sessions")).statusCode).toBe(401);
  });

  it("shows 100 of many, including the current one however long ago it was used", async () => {
    await service.db.query(
      `insert into command.session (id, account_id, started_at, last_used_at, noted_at, expires_at)
       select gen_random_uuid(), $1, now(), now() - n * interval '1 second', now(),
         now() + interval '1 day' from generate_series(1, 3000) n`,
      [me],
    );
    await service.db.query("update command.session set last_used_at = $2 where id = $1", [
      me,
      ago(13),
    ]);
    await service.db.query("analyze command.session");
    const sessions = await list();
    expect(sessions).toHaveLength(SESSIONS_LISTED + 1);
    expect(sessions[0]).toMatchObject({ id: me, current: true });
    const costs = await costOf(service.db, (db) => findSessions(db, me, me, new Date()));
    expect(costs).toHaveLength(1);
    expect(costs[0]?.rows).toBeLessThanOrEqual(2 * SESSIONS_LISTED + 50);
  });
});
