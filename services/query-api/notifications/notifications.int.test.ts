import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Notifications } from "#contracts/http/sessions.ts";
import { ANSWER_HOURS } from "#contracts/inquiry/inquiry-forms.ts";
import { MAX_COUNTED, NOTIFICATIONS } from "#contracts/notification/notification-kinds.ts";
import { readModelDatabase } from "#read-model/database.ts";
import { forFile } from "#test-kit/for-file.ts";
import { readThroughIndexes } from "../keyset-lists.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";
import { notifiedBy } from "./notifications.queries.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const service = forFile(() => startQueryApi());
beforeAll(async () => {
  await service.moveTo(5);
});
beforeEach(() =>
  service.db.query(
    "truncate reports.report cascade; truncate inquiries.inquiry, inquiries.notice; truncate outbox.mail; truncate processor.parked_stream; truncate command.job cascade",
  ),
);

async function read(): Promise<Omit<Notifications, "work">> {
  const { work: _, ...told } = await readAll();
  return told;
}
async function readAll(): Promise<Notifications> {
  const answer = await service.get(NOTIFICATIONS, { as: "admin" });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data;
}
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** A report that awaits a moderator. */
function waits(ms: number, columns: Record<string, unknown> = {}): Promise<string> {
  const at = ago(ms);
  const all = { status: "pending", verified: true, created_at: at, waiting_since: at, ...columns };
  return service.addReport(all);
}
/** IDs in the list that the report notification links to. */
async function listed(): Promise<string[]> {
  const filter = encodeURIComponent(JSON.stringify({ to_decide: "late" }));
  const answer = await service.get(`/prod/admin/reports?filter=${filter}`, { as: "admin" });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer
    .json()
    .map(({ id }: { id: string }) => id)
    .sort();
}
async function inquiry(received_at: string, answered_at: string | null = null): Promise<void> {
  await service.db.query(
    `insert into inquiries.inquiry values
       (gen_random_uuid(), 'enterprise', 'new', 0, 'x***@***', false, 20, 0, $1, $1, $2)`,
    [received_at, answered_at],
  );
}
async function mail(dropped_at: string, dropped_reason = "undeliverable"): Promise<void> {
  await service.db.query(
    `insert into outbox.mail (id, kind, account_id, event_id, revision, position, epoch, state, dropped_at, dropped_reason)
     values ($1, 'account_confirmation', $2, $2, 0, '1', 'e', 'dropped', $3, $4)`,
    [`mail-${randomUUID()}`, randomUUID(), dropped_at, dropped_reason],
  );
}

describe("what needs attention", () => {
  it("is nothing if nothing is waiting and nothing has failed", async () => {
    expect(await read()).toEqual({ notifications: [], failed: [] });
  });

  it("is a report that has been waiting for a moderator for more than a day", async () => {
    await waits(DAY_MS - HOUR_MS);
    await waits(9 * DAY_MS, { verified: false });
    await waits(9 * DAY_MS, { status: "approved" });
    // Recently returned to pending.
    await waits(9 * DAY_MS, { waiting_since: ago(HOUR_MS) });
    // Awaits its reporter.
    await waits(9 * DAY_MS, { asked_until: new Date(Date.now() + DAY_MS).toISOString() });
    const banned = await service.addUser({ status: "banned" });
    await waits(9 * DAY_MS, { owner_id: banned, owned_since: "1" });
    expect(await read()).toEqual({ notifications: [], failed: [] });
    const since = ago(3 * DAY_MS);
    await waits(2 * DAY_MS);
    await waits(3 * DAY_MS, { created_at: since, waiting_since: since });
    await waits(2 * DAY_MS, { asked_until: ago(HOUR_MS) });
    expect((await read()).notifications).toEqual([{ kind: "waiting_reports", count: 3, since }]);
  });

  it("is a report whose reporter replied more than a day ago, even one under review", async () => {
    const answered = (ms: number, columns: Record<string, unknown> = {}) =>
      waits(9 * DAY_MS, { answered_at: ago(ms), ...columns });
    await answered(DAY_MS - HOUR_MS);
    await answered(HOUR_MS, { status: "under_review" });
    await waits(9 * DAY_MS, { status: "under_review" });
    const banned = await service.addUser({ status: "banned" });
    await answered(3 * DAY_MS, { status: "under_review", owner_id: banned, owned_since: "1" });
    expect((await read()).notifications).toEqual([]);
    const since = ago(3 * DAY_MS);
    const late = [
      await answered(2 * DAY_MS),
      await answered(2 * DAY_MS, { status: "under_review" }),
      await answered(0, { status: "under_review", answered_at: since }),
      await waits(2 * DAY_MS),
    ];
    expect((await read()).notifications).toEqual([{ kind: "waiting_reports", count: 4, since }]);
    expect(await listed()).toEqual(late.sort());
  });

  it("is a deletion awaiting another admin", async () => {
    const [by, since] = [randomUUID(), ago(2 * HOUR_MS)];
    const request = (at: string) => ({ by, at, reason_code: "spam" });
    await service.addReport({ status: "approved", deletion_request: request(ago(HOUR_MS)) });
    await service.addReport({ status: "approved", deletion_request: request(since) });
    await service.addReport({ status: "approved" });
    expect((await read()).notifications).toEqual([{ kind: "waiting_deletions", count: 2, since }]);
  });

  it("is an unanswered inquiry, and whether it is late", async () => {
    const oldest = ago(25 * HOUR_MS);
    await inquiry(oldest);
    await inquiry(ago(HOUR_MS));
    await inquiry(ago(48 * HOUR_MS), ago(47 * HOUR_MS));
    expect((await read()).notifications).toEqual([
      { kind: "waiting_inquiries", count: 2, late: 1, since: oldest },
    ]);
  });

  it("is an undecided notice that is due within a day, and whether it is late", async () => {
    const due = (hours: number, decided_at: string | null = null) =>
      service.db.query(
        `insert into inquiries.notice
           (id, kind, status, revision, email, erased, notes, received_at, due_at, decided_at, targets)
         values (gen_random_uuid(), 'takedown', 'new', 0, 'x***@***', false, 0, $1, $2, $3, '[]')`,
        [ago((48 - hours) * HOUR_MS), ago(-hours * HOUR_MS), decided_at],
      );
    await due(25);
    await due(-9, ago(10 * HOUR_MS));
    expect((await read()).notifications).toEqual([]);
    await due(23);
    expect((await read()).notifications).toMatchObject([{ kind: "due_notices", count: 1 }]);
    expect((await read()).notifications[0]).not.toHaveProperty("late");
    await due(-1);
    expect((await read()).notifications).toMatchObject([
      { kind: "due_notices", count: 2, late: 1, since: expect.any(String) },
    ]);
  });

  it("is an email that failed recently, but not one that had no reason to be sent", async () => {
    const since = ago(2 * DAY_MS);
    await mail(since);
    await mail(ago(DAY_MS));
    await mail(ago(DAY_MS), "superseded");
    await mail(ago(8 * DAY_MS));
    expect((await read()).notifications).toEqual([{ kind: "failed_mails", count: 2, since }]);
  });

  it("is a parked event", async () => {
    const since = ago(HOUR_MS);
    await service.db.query(
      "insert into processor.parked_stream values ('reports', 'report-x', '1', $1)",
      [since],
    );
    expect((await read()).notifications).toEqual([{ kind: "parked_events", count: 1, since }]);
  });

  it("is what the last scan found, and not what earlier ones found", async () => {
    const since = ago(HOUR_MS);
    const scan = async (state: string, created_at: string, outcomes: readonly string[]) => {
      const id = randomUUID();
      await service.db.query(
        `insert into command.job (id, kind, account_id, state, body_mac, created_at, ended_at)
         values ($1, 'security-scan', $2, $3, '', $4, $5)`,
        [id, service.accounts.admin, state, created_at, since],
      );
      for (const [n, outcome] of outcomes.entries())
        await service.db.query(
          "insert into command.job_line (job_id, number, outcome) values ($1, $2, $3)",
          [id, n + 1, outcome],
        );
    };
    await scan("done", ago(3 * HOUR_MS), ["refused", "refused", "refused"]);
    await scan("done", ago(2 * HOUR_MS), ["refused", "done", "failed", "refused"]);
    await scan("failed", ago(HOUR_MS), ["refused"]);
    expect((await read()).notifications).toEqual([{ kind: "scan_findings", count: 2, since }]);
    await scan("done", ago(0), ["done"]);
    expect(await read()).toEqual({ notifications: [], failed: [] });
  });

  it("is counted up to 100, and kinds that could not be read are listed", async () => {
    await service.db.query(
      `insert into inquiries.inquiry select gen_random_uuid(), 'enterprise', 'new', 0, 'x', false, 20, 0,
         now(), now() - make_interval(mins => n), null from generate_series(1, $1::int) n`,
      [MAX_COUNTED + 20],
    );
    await service.db.query("alter table processor.parked_stream rename column since to gone");
    try {
      const { notifications, failed } = await read();
      expect(notifications).toMatchObject([{ kind: "waiting_inquiries", count: MAX_COUNTED }]);
      expect(failed).toEqual(["parked_events"]);
    } finally {
      await service.db.query("alter table processor.parked_stream rename column gone to since");
    }
  });

  it("is, for each list, the number of open and late items and the time of the first", async () => {
    const none = { count: 0, late: 0 };
    expect((await readAll()).work).toEqual({
      queue: none,
      resolutions: none,
      notices: none,
      inquiries: none,
      mails: none,
    });
    const since = ago(3 * DAY_MS);
    await waits(0, { created_at: since, waiting_since: since });
    await waits(HOUR_MS);
    await waits(9 * DAY_MS, { verified: false });
    const asked = ago(2 * HOUR_MS);
    for (const stage of ["requested", "letter_accepted", "withdrawn"])
      await service.addReport({
        status: "approved",
        resolution: { stage, payments: [] },
        resolution_at: asked,
      });
    await inquiry(ago(HOUR_MS));
    const due = ago(-40 * HOUR_MS);
    await service.db.query(
      `insert into inquiries.notice
         (id, kind, status, revision, email, erased, notes, received_at, due_at, targets)
       values (gen_random_uuid(), 'takedown', 'new', 0, 'x***@***', false, 0, $1, $2, '[]')`,
      [ago(8 * HOUR_MS), due],
    );
    const { work } = await readAll();
    expect(work).toEqual({
      queue: { count: 2, late: 1, since },
      resolutions: { count: 2, late: 0, since: asked },
      notices: { count: 1, late: 0, since: expect.any(String), due },
      inquiries: { count: 1, late: 0, since: expect.any(String), due: expect.any(String) },
      mails: none,
    });
    const { since: received = "", due: answerBy = "" } = work.inquiries ?? {};
    expect(Date.parse(answerBy) - Date.parse(received)).toBe(ANSWER_HOURS * HOUR_MS);
  });

  it.each([
    ["queue", "report_by_status"],
    ["queue", "report_answered"],
    ["resolutions", "report_by_resolution"],
    ["notices", "notice_waiting"],
    ["inquiries", "inquiry_waiting"],
    ["mails", "mail_failed"],
  ] as const)("counts %s by an index, %s", async (list, index) => {
    const plan = await planOf(list);
    expect(plan).toContain(` ${index} `);
    expect(plan).not.toMatch(/Seq Scan on (report|notice|inquiry|mail)\b/);
  });

  it.each([
    ["waiting_reports", "report_by_status"],
    ["waiting_reports", "report_answered"],
    ["waiting_deletions", "report_deletion_requested"],
    ["due_notices", "notice_waiting"],
    ["waiting_inquiries", "inquiry_waiting"],
    ["failed_mails", "mail_failed"],
    ["parked_events", "parked_stream_pkey"],
    ["scan_findings", "job_created_at"],
  ] as const)("reads an index in its order: %s, %s", async (kind, index) => {
    const plan = await planOf(kind);
    expect(plan).toContain(` ${index} `);
    expect(plan).not.toMatch(
      /Sort|Seq Scan on (report|notice|inquiry|mail|parked_stream|job|job_line)\b/,
    );
  });
});

function planOf(name: Parameters<typeof notifiedBy>[0]): Promise<string> {
  return readThroughIndexes(readModelDatabase(service.db), "ordered", async ({ db }) => {
    const { rows } = await sql<{ "QUERY PLAN": string }>`explain ${notifiedBy(name)}`.execute(db);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
}
