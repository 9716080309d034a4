import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Role } from "#contracts/http/account.ts";
import { CHANGES } from "#contracts/http/changes.ts";
import { at, EPOCH, type Fixture, startQueryApi } from "../testing/query-api.fixture.ts";
import { STREAM_LIMITS } from "./changes.routes.ts";
import { type OpenedStream, openChanges } from "./testing/event-source.ts";

const soon = { timeout: 15_000 };
const REPORT = "7f3a9c21-b0aa-4111-8111-111111111111";

let service: Fixture;
let origin: string;
let opened: OpenedStream[];
/** Where the log starts for each test: positions only grow. */
let base = 0;
beforeAll(async () => {
  service = await startQueryApi();
  origin = await service.api.app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => service.close());
beforeEach(async () => {
  opened = [];
  await service.db.query("truncate audit.entry, processor.checkpoint");
  base += 1_000;
  await moveTo(1);
});
afterEach(() => {
  for (const each of opened) each.close();
});

/** Opens the stream, and waits until it is open. */
async function follow(
  role: Role,
  since?: string,
): Promise<OpenedStream & { readonly id?: string }> {
  const headers = {
    ...service.headersOf(role),
    ...(since === undefined ? {} : { "last-event-id": since }),
  };
  const stream = await openChanges(origin, headers);
  opened.push(stream);
  expect(stream.response.status).toBe(200);
  const first = await stream.next();
  expect(first).toMatchObject({ event: "open", changes: [] });
  return { ...stream, ...(first?.id === undefined ? {} : { id: first.id }) };
}

/** Adds events of these streams to the audit log, from a position on; the tables don't have them yet. */
async function enter(from: number, ...names: readonly string[]): Promise<void> {
  for (const [i, stream] of names.entries())
    await service.db.query(
      `insert into audit.entry (position, event_id, at, actor_id, actor_role, command, event_type, stream,
         revision, schema_version, status, origin)
       values ($1, $2, now(), 'visitor', 'visitor', 'C', 'E', $3, 0, 1, 'success', 'live')`,
      [place(from + i), randomUUID(), stream],
    );
}

const place = (n: number) => at(base + n);
const moveTo = (n: number, processors?: Parameters<Fixture["moveTo"]>[1]) =>
  service.moveTo(base + n, processors);
const sealed = (n: number, epoch = EPOCH) => service.positions.seal({ epoch, position: place(n) });
const positionOf = (id: string | undefined) => service.positions.open(id);

describe("the change stream", () => {
  it("reports resources and IDs once the tables have them, and nothing else", async () => {
    const stream = await follow("admin");
    expect(positionOf(stream.id)).toEqual({ epoch: EPOCH, position: place(1) });
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream");
    expect(stream.response.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(stream.response.headers.get("x-accel-buffering")).toBe("no");
    await enter(2, `report-${REPORT}`, `report-${REPORT}`, "security-x", "template-email-changed");
    await moveTo(5);
    const told = await stream.next();
    expect(told).toEqual({
      event: "changes",
      id: expect.any(String),
      changes: [
        { resource: "reports", id: REPORT },
        { resource: "audit-logs" },
        { resource: "templates", id: "email-changed" },
      ],
    });
    expect(positionOf(told?.id)).toEqual({ epoch: EPOCH, position: place(5) });
  });

  it("waits for a lagging table, and reports it again if that takes too long", async () => {
    const stream = await follow("admin");
    await enter(2, `report-${REPORT}`);
    await moveTo(2, ["audit"]);
    const early = await stream.next();
    expect(early?.changes[0]).toEqual({ resource: "reports", id: REPORT });
    await moveTo(2);
    const later = await stream.next();
    expect(later?.changes[0]).toEqual({ resource: "reports", id: REPORT });
  });

  it("reports to admins when a report is claimed and released, from any process", async () => {
    const other = await service.startProcess();
    const url = await other.app.listen({ port: 0, host: "127.0.0.1" });
    const elsewhere = await openChanges(url, service.headersOf("admin"));
    opened.push(elsewhere);
    expect(await elsewhere.next()).toMatchObject({ event: "open" });
    const streams = [await follow("admin"), elsewhere];
    const auditor = await follow("auditor");
    const session = randomUUID();
    const told = async (what: string, text: string, ...values: unknown[]) => {
      await service.db.query(text, values);
      for (const stream of streams)
        expect((await stream.next())?.changes, what).toEqual([{ resource: "queue" }]);
    };
    await service.db.query(
      `insert into command.session (id, account_id, expires_at, started_at, last_used_at, noted_at)
       values ($1, $2, now() + interval '1 hour', now(), now(), now())`,
      [session, service.accounts.admin],
    );
    const take = `insert into command.queue_lease values ($1, $2, $3, now() + $4::interval)
      on conflict (report_id) do update
      set session_id = excluded.session_id, until = excluded.until`;
    const { admin } = service.accounts;
    await told("taken", take, REPORT, admin, session, "10 minutes");
    await told("left", "delete from command.queue_lease");
    await told("taken again", take, REPORT, admin, session, "10 minutes");
    await told("signed out", "update command.session set ended_at = now() where id = $1", session);
    await told("without a session", take, REPORT, admin, null, "10 minutes");
    await told("over", "update command.queue_lease set until = now()");
    await enter(2, "settings");
    await moveTo(2);
    expect((await auditor.next())?.changes).toEqual([{ resource: "audit-logs" }]);
    await service.db.query("delete from command.queue_lease");
  });

  it("reports only audit log growth to an auditor, and nothing that moderators see", async () => {
    const stream = await follow("auditor");
    await enter(2, `report-${REPORT}`, "settings", `user-${REPORT}`);
    await moveTo(4);
    expect((await stream.next())?.changes).toEqual([{ resource: "audit-logs" }]);
  });

  it("answers HEAD with headers only", async () => {
    const headers = { ...service.headersOf("admin"), accept: "text/event-stream" };
    const head = await fetch(origin + CHANGES, { method: "HEAD", headers });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  });

  it("resumes where it left off, even in another process", async () => {
    const { id = "", close } = await follow("admin");
    close();
    await enter(2, `report-${REPORT}`);
    await moveTo(2);
    const other = await service.startProcess();
    const url = await other.app.listen({ port: 0, host: "127.0.0.1" });
    for (const from of [origin, url]) {
      const stream = await openChanges(from, {
        ...service.headersOf("admin"),
        "last-event-id": id,
      });
      opened.push(stream);
      expect(await stream.next()).toMatchObject({ event: "open", id: undefined });
      const told = await stream.next();
      expect(told?.changes[0]).toEqual({ resource: "reports", id: REPORT });
      expect(positionOf(told?.id)?.position).toBe(place(2));
    }
  });

  it("ends with what was missed if no stream was requested", async () => {
    await enter(2, `report-${REPORT}`);
    await moveTo(2);
    const accept = "application/json";
    const since = { "last-event-id": sealed(1), accept };
    const headers = { ...service.headersOf("admin"), ...since };
    // A process reports only what it has reached, which may take it a moment.
    const missed = async () => {
      const reply = await openChanges(origin, headers);
      expect(await reply.next()).toMatchObject({ event: "open", changes: [] });
      const told = await reply.next();
      if (told) expect(await reply.next()).toBeUndefined();
      return told?.changes[0];
    };
    await expect.poll(missed, soon).toEqual({ resource: "reports", id: REPORT });
    const from = await openChanges(origin, { ...service.headersOf("admin"), accept });
    expect(positionOf((await from.next())?.id)?.epoch).toBe(EPOCH);
    expect(await from.next()).toBeUndefined();
  });

  it.each([
    ["cannot be read", () => "AAAA"],
    ["is of another log", () => sealed(1, "0e0c4f00-0000-4000-8000-0000000000ff")],
  ])("reports that anything may have changed if the position %s", async (_what, since) => {
    const stream = await follow("admin", since());
    const told = await stream.next();
    expect(told).toMatchObject({ event: "reset", changes: [] });
    expect(positionOf(told?.id)?.epoch).toBe(EPOCH);
  });

  it("reports a reset if too much has changed to list", async () => {
    await service.db.query(
      `insert into audit.entry (position, event_id, at, actor_id, actor_role, command, event_type, stream,
         revision, schema_version, status, origin)
       select lpad(($1 + n)::text, 20, '0'), gen_random_uuid(), now(), 'v', 'v', 'C', 'E', 'report-' || n, 0, 1, 'success', 'live'
       from generate_series(2, 700) n`,
      [base],
    );
    await moveTo(700);
    const stream = await follow("admin", sealed(1));
    expect(await stream.next()).toMatchObject({ event: "reset" });
    const near = await follow("admin", sealed(300));
    // More than are listed one by one.
    expect((await near.next())?.changes).toEqual([
      { resource: "reports" },
      { resource: "audit-logs" },
      // No position shows what was missed of claims.
      { resource: "queue" },
    ]);
  });

  it("continues without notifications", async () => {
    const stream = await follow("admin");
    await enter(2, `report-${REPORT}`);
    await service.db.query("update processor.checkpoint set position = $1", [place(2)]);
    expect((await stream.next())?.changes[0]).toEqual({ resource: "reports", id: REPORT });
  });
});

describe("an open change stream ends", () => {
  const account = (role: Role) => service.accounts[role];

  it.each<[string, string, string]>([
    ["its session ends", "update command.session set ended_at = now()", "ended_at = null"],
    [
      "staff do nothing for too long",
      "update command.session set active_at = now() - interval '1 day'",
      "active_at = now()",
    ],
  ])("when %s", async (_what, end, back) => {
    const [stream, others] = [await follow("auditor"), await follow("admin")];
    await service.db.query(`${end} where account_id = $1`, [account("auditor")]);
    await enter(2, `report-${REPORT}`);
    await moveTo(2);
    expect(await stream.next()).toBeUndefined();
    expect((await others.next())?.changes).toHaveLength(2);
    await service.db.query(`update command.session set ${back} where account_id = $1`, [
      account("auditor"),
    ]);
  });

  it.each<[string, string, string]>([
    ["is banned", "status = 'banned'", "status = 'active'"],
    ["gets another role", "role = 'admin'", "role = 'auditor'"],
    ["has all its sessions ended", "token_version = 2", "token_version = 1"],
  ])(
    "when its account %s, even without any other change",
    async (_what, change, back) => {
      const stream = await follow("auditor");
      await service.db.query(`update command.account set ${change} where id = $1`, [
        account("auditor"),
      ]);
      expect(await stream.next()).toBeUndefined();
      await service.db.query(`update command.account set ${back} where id = $1`, [
        account("auditor"),
      ]);
    },
    30_000,
  );

  it("when the service stops", async () => {
    const other = await service.startProcess();
    const url = await other.app.listen({ port: 0, host: "127.0.0.1" });
    const stream = await openChanges(url, service.headersOf("admin"));
    opened.push(stream);
    expect(await stream.next()).toMatchObject({ event: "open" });
    const closed = other.app.close();
    expect(await stream.next()).toBeUndefined();
    await closed;
  });
});

describe("the number of open streams", () => {
  it("is bounded per account, and closed ones no longer count", async () => {
    for (let i = 0; i < STREAM_LIMITS.ofAccount; i += 1) await follow("admin");
    const { response } = await openChanges(origin, service.headersOf("admin"));
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual({
      success: false,
      error: {
        code: "too_many_streams",
        message: "Your account is already open in 10 windows. Close one of them.",
      },
    });
    await follow("auditor");
    opened[0]?.close();
    await expect
      .poll(async () => {
        const again = await openChanges(origin, service.headersOf("admin"));
        opened.push(again);
        return again.response.status;
      }, soon)
      .toBe(200);
  });
});
