import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { TimedQuestion } from "#contracts/events/report/reporter-questions.ts";
import type { OwnReport } from "#contracts/http/own-reports.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { forFile } from "#test-kit/for-file.ts";
import { at, type Caller, startQueryApi } from "../testing/query-api.fixture.ts";
import { costOf } from "../testing/rows-read.ts";
import { findOwnReports } from "./own-reports.queries.ts";

const service = forFile(() => startQueryApi());
beforeEach(async () => {
  await service.db.query("truncate reports.report, views.report_views");
  await service.db.query("update accounts.account set owns_after = $1", [at(0)]);
});

const get = (query = "", as: Caller = "user") =>
  service.get(`/prod/api/account/reports${query}`, { as });

async function list(query = ""): Promise<{ reports: { id: string }[]; next: string | null }> {
  const reply = await get(query);
  expect(reply.statusCode).toBe(200);
  return reply.json().data;
}

/** A report that the user submitted at a log position. */
function own(position: number, columns: Record<string, unknown> = {}): Promise<string> {
  const owner_id = service.accounts.user;
  return service.addReport({ owner_id, owned_since: at(position), ...columns });
}

describe("GET /prod/api/account/reports", () => {
  it("shows a report's status, and nothing that is hidden", async () => {
    const decided_at = "2026-11-21T09:00:00.000Z";
    const reason = { rejection_reason: "No proof of delivery" };
    const rejected = await own(1, { status: "rejected", decided_at, ...reason });
    const approved = await own(2, { status: "approved", decided_at, slug: "quinn-ames" });
    const pending = await own(3, { slug: "not-public-yet" });
    await service.db.query("insert into views.report_views values ($1, 7)", [approved]);
    const shown = {
      report_type: "chargeback",
      title: "Disputed a delivered order",
      first_name: "Quinn",
      last_name: "Ames",
      currency: "USD",
      amount: 412.5,
      total_due: 427.5,
      verified: true,
      resolved: false,
      view_count: 0,
      created_at: "2026-11-20T08:00:00.123Z",
    };
    const reply = await get();
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect(reply.json().data).toEqual({
      reports: [
        { ...shown, id: pending, status: "pending" },
        {
          ...shown,
          id: approved,
          status: "approved",
          decided_at,
          seo_title: "quinn-ames",
          view_count: 7,
          others_reported: false,
        },
        { ...shown, id: rejected, status: "rejected", decided_at, ...reason },
      ],
      next: null,
    });
  });

  it("shows no report by another account or by a visitor", async () => {
    await service.addReport({ owner_id: service.accounts.admin, owned_since: at(1) });
    await service.addReport({ status: "approved" });
    expect(await list()).toEqual({ reports: [], next: null });
    expect((await get("", "admin")).json().data.reports).toHaveLength(1);
  });

  it("shows whether someone else reported the same person, for approved reports", async () => {
    const decided = { status: "approved" };
    const mine = await own(1, decided);
    const alsoMine = await own(2, decided);
    const shared = await own(3, decided);
    const waiting = await own(4);
    const theirs = await service.addReport({ status: "approved" });
    await service.addPerson([mine, alsoMine]);
    await service.addPerson([shared, theirs]);
    const said = async () =>
      Object.fromEntries(
        (await get())
          .json()
          .data.reports.map((report: { id: string; others_reported?: boolean }) => [
            report.id,
            report.others_reported,
          ]),
      );
    expect(await said()).toEqual({
      [mine]: false,
      [alsoMine]: false,
      [shared]: true,
      [waiting]: undefined,
    });
    // Until the group catches up with a report that is no longer public.
    await service.db.query("update reports.report set status = 'rejected' where id = $1", [theirs]);
    expect((await said())[shared]).toBe(false);
  });

  it("shows none from before a confirmation that dropped everything", async () => {
    await own(1);
    const later = await own(3);
    await service.db.query("update accounts.account set owns_after = $1", [at(2)]);
    expect((await list()).reports.map(({ id }) => id)).toEqual([later]);
  });

  it("pages through all of them, newest first, despite concurrent changes", async () => {
    const ids: string[] = [];
    for (let n = 1; n <= 5; n += 1) ids.unshift(await own(n));
    const first = await list("?size=2");
    expect(first.reports.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    await own(6);
    await service.db.query("delete from reports.report where id = $1", [ids[1]]);
    const second = await list(`?size=2&page=${first.next}`);
    expect(second.reports.map(({ id }) => id)).toEqual(ids.slice(2, 4));
    const third = await list(`?size=2&page=${second.next}`);
    expect(third).toMatchObject({ reports: [{ id: ids[4] }], next: null });
  });

  it("rejects a page token that it did not create, and a position from a header", async () => {
    await service.moveTo(9);
    const position = (await get()).headers["x-position"];
    expect(position).toEqual(expect.any(String));
    for (const page of ["x", String(position), at(3)]) {
      const reply = await get(`?page=${page}`);
      expect([page, reply.statusCode, reply.json().error?.code]).toEqual([
        page,
        400,
        "invalid_request",
      ]);
    }
    expect((await get("?size=51")).statusCode).toBe(400);
  });

  it("reads only the rows of the page, however many reports there are", async () => {
    const { user, admin } = service.accounts;
    await own(1);
    await service.db.query(
      `insert into reports.report
       select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'owner_id',
         case when n % 2 = 0 then $1 else $2 end, 'owned_since', lpad(n::text, 20, '0')))).*
       from reports.report r, generate_series(2, 6001) n`,
      [user, admin],
    );
    await service.db.query("vacuum analyze reports.report");
    const page = { before: at(5000), limit: 21 };
    const [cost] = await costOf(service.db, (db) => findOwnReports(db, user, page));
    expect(cost?.rows).toBeGreaterThan(20);
    expect(cost?.rows).toBeLessThan(60);
    expect((await list("?size=50")).reports).toHaveLength(50);
  });
});

describe("GET /prod/api/account/reports/summary", () => {
  const summary = async (as: Caller = "user") => {
    const reply = await service.get("/prod/api/account/reports/summary", { as });
    expect([reply.statusCode, reply.headers["cache-control"]]).toEqual([200, "no-store"]);
    return reply.json().data;
  };
  /** The middle of a month, the current one or an earlier one. */
  const inMonth = (before: number) => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - before, 2)).toISOString();
  };

  it("counts by status, and sums by month and currency", async () => {
    const [now, earlier, long] = [inMonth(0), inMonth(2), inMonth(12)];
    const sum = (total_due_cents: number, created_at: string) => ({ total_due_cents, created_at });
    const read = await own(1, { status: "approved", ...sum(1050, earlier) });
    await own(2, { currency: "EUR", ...sum(700, earlier) });
    await own(3, { status: "rejected", ...sum(5, now) });
    await own(4, { verified: false, ...sum(20, now) });
    const hidden = await own(5, { status: "under_review", ...sum(99, long) });
    await service.addReport({ status: "approved", ...sum(1, now) });
    await service.db.query("insert into views.report_views values ($1, 7), ($2, 3)", [
      read,
      hidden,
    ]);
    expect(await summary()).toEqual({
      reports: 5,
      statuses: { pending: 2, under_review: 1, approved: 1, rejected: 1 },
      unconfirmed: 1,
      view_count: 7,
      months: [
        { month: earlier.slice(0, 7), currency: "EUR", reports: 1, total_due: 7 },
        { month: earlier.slice(0, 7), currency: "USD", reports: 1, total_due: 10.5 },
        { month: now.slice(0, 7), currency: "USD", reports: 2, total_due: 0.25 },
      ],
      asked: [],
    });
  });

  it("is empty for an account without reports, and omits reports from before it owned any", async () => {
    await own(1);
    await service.db.query("update accounts.account set owns_after = $1", [at(2)]);
    const statuses = { pending: 0, under_review: 0, approved: 0, rejected: 0 };
    const none = { reports: 0, statuses, unconfirmed: 0, view_count: 0, months: [], asked: [] };
    expect(await summary()).toEqual(none);
    expect(await summary("admin")).toEqual(none);
  });

  it("lists moderators' questions, those due first on top", async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const asked = (days: number, change: Partial<TimedQuestion> = {}) => {
      const expires_at = inDays(days);
      const of = { question_id: randomUUID(), expires_at, asked_at: inDays(days - 30) };
      const words = { question: `Which carrier, ${days}?`, answer: null, state: "open" } as const;
      const questions = [{ ...of, ...words, ...change }];
      return { questions: JSON.stringify(questions), asked_until: expires_at };
    };
    const later = await own(1, asked(20));
    const sooner = await own(2, asked(3));
    await own(3, asked(-1));
    await own(4, { ...asked(5, { state: "answered", answer: "The post." }), asked_until: null });
    await service.addReport({ owner_id: service.accounts.admin, owned_since: at(5), ...asked(2) });
    await service.addReport(asked(2));
    const told = (await summary()).asked;
    expect(told.map(({ id }: { id: string }) => id)).toEqual([sooner, later]);
    expect(told[0]).toEqual({
      id: sooner,
      number: reportNumber(sooner),
      title: "Disputed a delivered order",
      first_name: "Quinn",
      last_name: "Ames",
      question_id: expect.any(String),
      question: "Which carrier, 3?",
      asked_at: expect.any(String),
      expires_at: expect.any(String),
    });
    const list = await service.get("/prod/api/account/reports", { as: "user" });
    const { reports } = list.json().data;
    const states = reports.map((report: OwnReport) => report.question?.state);
    expect(states).toEqual(["answered", "closed", "open", "open"]);
    await service.db.query("update accounts.account set owns_after = $1", [at(1)]);
    expect((await summary()).asked).toHaveLength(1);
  });
});
