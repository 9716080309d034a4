import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { REPORT_LISTS, type ReportFilters, StatusCounts } from "#contracts/http/admin-reports.ts";
import { exportHeader, LIST_EXPORT_COUNT, X_EXPORT } from "#contracts/http/list-exports.ts";
import { QUEUE } from "#contracts/http/queue.ts";
import { ADMIN_USERS } from "#contracts/http/users.ts";
import { NOTIFICATIONS } from "#contracts/notification/notification-kinds.ts";
import { systemCaller } from "#services/command-api/kernel/envelope.ts";
import { forFile } from "#test-kit/for-file.ts";
import { startSystem } from "./support/in-process.ts";
import { chargeback, submit } from "./support/reports.ts";

type List = keyof typeof REPORT_LISTS;
const LISTS = Object.keys(REPORT_LISTS) as List[];
/** The reports that the bell counts. */
const LATE: ReportFilters = { to_decide: "late" };

const system = forFile(() => startSystem());
let otherAdmin: Record<string, string>;
/** Names of the test's reports, by ID. */
const names = new Map<string, string>();

beforeAll(async () => {
  otherAdmin = await account("admin");
  const banned = await account("user");
  const own = await system.signIn("user");
  const [author, admin] = [bearer(own.token), bearer((await system.signIn("admin")).token)];

  await report("unconfirmed");
  await report("unconfirmed with chargebacks", { chargebacks: [{ amount: 14 }, { amount: 3 }] });
  await confirmed("confirmed");
  await confirmed("confirmed with chargebacks", { chargebacks: [{ amount: 14 }, { amount: 3 }] });
  const held = await confirmed("held by another moderator");
  await act("POST", "/prod/api/admin/queue/take", otherAdmin, { reports: [held] });
  await of("the reader's own", admin);
  await late(await confirmed("confirmed long ago"));
  await late(await report("unconfirmed long ago"));

  await ask(await of("waiting for its reporter", author));
  const asked = await of("under review, waiting for its reporter", author);
  await moderate(asked, "under_review");
  await ask(asked);
  await late(await answered(await of("answered long ago", author), author));
  const reviewed = await of("under review, answered", author);
  await moderate(reviewed, "under_review");
  await answered(reviewed, author);
  await answered(await of("answered, asked again", author), author).then(ask);
  const over = await of("its question has expired", author);
  await ask(over);
  await late(over, { asked_until: "2026-01-01T00:00:00Z" });

  for (const status of ["under_review", "approved", "rejected"])
    await moderate(await confirmed(status), status);
  await moderate(await report("approved, unconfirmed"), "approved");
  for (const status of ["pending", "approved"]) {
    const id = await confirmed(`deleted ${status}`);
    if (status !== "pending") await moderate(id, status);
    await act("DELETE", `/prod/api/admin/reports/${id}`, otherAdmin, { reason_code: "other" });
    names.delete(id);
  }

  await late(await of("of a banned account", banned));
  await answered(await of("of a banned account, answered", banned), banned);
  await ask(await of("of a banned account, waiting for it", banned));
  await moderate(await of("of a banned account, approved", banned), "approved");
  const id = (await act("GET", "/prod/api/auth/profile", banned)).user.id;
  await act("POST", `${ADMIN_USERS}/${id}/ban`, otherAdmin, { reason: "Spam" });
});

describe("the count of each list", () => {
  it("matches its rows and its export", async () => {
    const { counts } = await read("/prod/api/admin/reports");
    const rows: Partial<Record<List, readonly string[]>> = {};
    for (const list of LISTS) {
      const { filter } = REPORT_LISTS[list];
      rows[list] = await listed(filter);
      expect([list, counts[list]]).toEqual([list, rows[list].length]);
      expect([list, await exported(filter)]).toEqual([list, rows[list].length]);
    }
    expect(rows).toEqual({
      to_decide: [
        "answered long ago",
        "confirmed",
        "confirmed long ago",
        "confirmed with chargebacks",
        "held by another moderator",
        "its question has expired",
        "the reader's own",
        "under review, answered",
      ],
      pending: [
        "answered long ago",
        "answered, asked again",
        "confirmed",
        "confirmed long ago",
        "confirmed with chargebacks",
        "held by another moderator",
        "its question has expired",
        "of a banned account",
        "of a banned account, answered",
        "of a banned account, waiting for it",
        "the reader's own",
        "unconfirmed",
        "unconfirmed long ago",
        "unconfirmed with chargebacks",
        "waiting for its reporter",
      ],
      under_review: [
        "under review, answered",
        "under review, waiting for its reporter",
        "under_review",
      ],
      approved: ["approved", "approved, unconfirmed", "of a banned account, approved"],
      rejected: ["rejected"],
      unconfirmed: ["unconfirmed", "unconfirmed long ago", "unconfirmed with chargebacks"],
      answered: ["answered long ago", "of a banned account, answered", "under review, answered"],
      waiting: [
        "answered, asked again",
        "of a banned account, waiting for it",
        "under review, waiting for its reporter",
        "waiting for its reporter",
      ],
    });
    const deletions = await read("/prod/api/admin/deletions");
    expect([counts.deleted, deletions.deletions.length]).toEqual([2, 2]);
    expect([...LISTS, "deleted"].sort()).toEqual(Object.keys(StatusCounts.properties).sort());
  });

  it("matches the dashboard, by status and in total", async () => {
    const { reports } = await read("/prod/api/admin/dashboard");
    for (const { status, reports: count } of reports.statuses)
      expect([status, count]).toEqual([
        status,
        (await listed(REPORT_LISTS[status as List].filter)).length,
      ]);
    expect([reports.total, await exported({})]).toEqual([names.size, names.size]);
    expect(await listed({})).toHaveLength(names.size);
  });

  it("matches the queue, and is the same for every moderator", async () => {
    const rows = await listed(REPORT_LISTS.to_decide.filter);
    const queue = await read(QUEUE);
    expect(queue.to_decide).toBe(rows.length);
    const { work } = await read(NOTIFICATIONS);
    expect(work.queue).toMatchObject({ count: rows.length, late: (await listed(LATE)).length });
    expect(queue.reports.map(nameOf).sort()).toEqual(
      rows.filter((name) => name !== "the reader's own"),
    );
    expect((await act("GET", QUEUE, otherAdmin)).to_decide).toBe(rows.length);
  });

  it("matches the bell, for reports waiting longer than a day", async () => {
    const rows = await listed(LATE);
    expect(rows).toEqual(["answered long ago", "confirmed long ago", "its question has expired"]);
    expect(await exported(LATE)).toBe(rows.length);
    const { notifications } = await read(NOTIFICATIONS);
    expect(notifications).toMatchObject([{ kind: "waiting_reports", count: rows.length }]);
  });

  it("matches the author's summary, by status and for unconfirmed reports", async () => {
    const { token } = await system.signIn("user");
    const summary = await act("GET", "/prod/api/account/reports/summary", bearer(token));
    const { reports } = await act("GET", "/prod/api/account/reports?size=50", bearer(token));
    const of = (status: string) =>
      reports.filter((report: { status: string }) => report.status === status).length;
    expect(summary).toMatchObject({
      reports: reports.length,
      statuses: { pending: of("pending"), under_review: of("under_review") },
      unconfirmed: 0,
    });
  });
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const nameOf = (id: string) => names.get(id) ?? id;

/** Returns the names of the rows that the console's list shows with a filter. Checks the total that it states. */
async function listed(filter: ReportFilters): Promise<string[]> {
  const wanted = encodeURIComponent(JSON.stringify(filter));
  const url = `/prod/admin/reports?filter=${wanted}&range=[0,199]`;
  const answer = await system.read(url, "admin");
  const rows = answer.json().map(({ id }: { id: string }) => nameOf(id));
  expect(answer.headers["content-range"]).toMatch(new RegExp(`/${rows.length}$`));
  return rows.sort();
}

/** Returns how many rows a list's export has. */
async function exported(filter: ReportFilters): Promise<number> {
  const headers = { [X_EXPORT]: exportHeader({ list: "reports", filter }) };
  const answer = await system.call("GET", LIST_EXPORT_COUNT, { headers, as: "admin" });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data.rows;
}

async function read(url: string) {
  const answer = await system.read(url, "admin");
  expect([url, answer.statusCode]).toEqual([url, 200]);
  return answer.json().data;
}

async function act(
  method: "GET" | "POST" | "DELETE",
  url: string,
  headers: Record<string, string>,
  body?: object,
) {
  const answer = await system.call(method, url, { headers, ...(body && { body }) });
  expect([url, answer.statusCode, answer.body]).toEqual([url, 200, answer.body]);
  return answer.json().data;
}

/** Adds an account with a confirmed address. @returns its header. */
async function account(role: "user" | "admin"): Promise<Record<string, string>> {
  const login = { email: `${randomUUID()}@registry.example`, password: "Correct-horse-9" };
  await system.commandApi.accounts.add(
    { ...login, role, firstName: "Ida", lastName: "Moss" },
    systemCaller(new Date().toISOString()),
  );
  const answer = await system.call("POST", "/prod/api/auth/login", { body: login });
  return bearer(answer.json().data.token);
}

/** Submits a report that its reporter has not confirmed. */
async function report(name: string, more: object = {}): Promise<string> {
  const id = await submit(system, { ...chargeback, ...more });
  names.set(id, name);
  return id;
}

async function confirmed(name: string, more: object = {}): Promise<string> {
  const id = await report(name, more);
  await act("POST", `/prod/api/admin/reports/${id}/verify`, otherAdmin, {});
  return id;
}

/** Submits a report as an account, from its own address. */
async function of(name: string, author: Record<string, string>): Promise<string> {
  const { email } = (await act("GET", "/prod/api/auth/profile", author)).user;
  const body = { ...chargeback, reporter_email: email };
  const { id } = await act("POST", "/prod/api/reports/submit", author, body);
  names.set(id, name);
  return id;
}

async function moderate(id: string, status: string): Promise<void> {
  const body = { status, reason: "No evidence" };
  await act("POST", `/prod/api/admin/reports/${id}/status`, otherAdmin, body);
}

async function ask(id: string): Promise<string> {
  const url = `/prod/api/admin/reports/${id}/question`;
  await act("POST", url, otherAdmin, { question: "Which carrier?" });
  return id;
}

async function answered(id: string, author: Record<string, string>): Promise<string> {
  await ask(id);
  const report = await system.commandApi.reports.load(id);
  const body = { question_id: report?.questions.at(-1)?.question_id, answer: "The post." };
  await act("POST", `/prod/api/account/reports/${id}/answer`, author, body);
  return id;
}

/** Moves what a report waits for into the past in the read model, once it is there. */
async function late(id: string, more: Record<string, string> = {}): Promise<void> {
  await read(`/prod/api/admin/reports/${id}`);
  const past = "2026-01-01T00:00:00Z";
  await system.db.query(
    `update reports.report set created_at = $2, waiting_since = $2,
       answered_at = case when answered_at is null then null else $2::timestamptz end,
       asked_until = coalesce($3::timestamptz, asked_until) where id = $1`,
    [id, past, more.asked_until ?? null],
  );
}
