import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { BULK, BULK_REPORTS } from "#contracts/http/jobs.ts";
import { APPEND_LOCK } from "#event-store/postgres/schema.ts";
import { forFile } from "#test-kit/for-file.ts";
import { sealColumn } from "#vault/sealing/seal.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import { admin, eventsOf, submit } from "../testing/reports.fixture.ts";
import { infringer, publicReport, someAddress, takenDown } from "../testing/strikes.fixture.ts";

const fixture = forFile(() => startCommandApi());

interface Line {
  readonly target: string;
  readonly outcome: string;
  readonly code: string | null;
}

const bulk = (body: object, key?: string, as: "admin" | "auditor" = "admin") =>
  fixture.call("POST", BULK, { body, as, ...(key ? { key } : {}) });
const seen = (ids: readonly string[], revision = 0) => ids.map((id) => ({ id, revision }));
const linesOf = async (job: string): Promise<Line[]> =>
  (
    await fixture.db.query(
      "select target, outcome, code from command.job_line where job_id = $1 order by number",
      [job],
    )
  ).rows;
const stateOf = async (job: string): Promise<string> =>
  (await fixture.db.query("select state from command.job where id = $1", [job])).rows[0].state;

/** Starts a bulk decision and waits until it ends. @returns the job's ID and lines. */
async function decided(body: object) {
  const answer = await bulk(body);
  expect(answer.statusCode, answer.body).toBe(200);
  const job: string = answer.json().data.job_id;
  await fixture.api.jobs.settled();
  return { job, lines: await linesOf(job) };
}

/** Submits many reports, a few at a time. */
async function submitMany(count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const some = Math.min(10, count - ids.length);
    ids.push(...(await Promise.all(Array.from({ length: some }, () => submit(fixture)))));
  }
  return ids;
}

describe("a bulk decision", () => {
  it("decides a thousand reports, and skips and names those that others have changed", async () => {
    const ids = await submitMany(30);
    const unknown = Array.from({ length: BULK_REPORTS - ids.length }, () => randomUUID());
    const changed = ids.filter((_, n) => n % 10 === 3);
    for (const id of changed)
      await fixture.call("POST", admin(id, "/verify"), { body: {}, as: "admin" });
    const reports = seen([...ids, ...unknown]);
    const { job, lines } = await decided({ command: "reject", reason: "No proof", reports });
    expect(await stateOf(job)).toBe("done");
    expect(lines).toHaveLength(BULK_REPORTS);
    const of = (outcome: string) =>
      lines.filter((line) => line.outcome === outcome).map(({ target }) => target);
    expect(of("conflict").sort()).toEqual(changed.toSorted());
    expect(of("gone").sort()).toEqual(unknown.toSorted());
    expect(of("done")).toHaveLength(27);
    const { rows } = await fixture.db.query(
      `select type, count(*)::int from event_log.event
       where stream = any($1) group by type order by type`,
      [ids.map((id) => `report-${id}`)],
    );
    expect(rows).toEqual([
      { type: "ReportRejected", count: 27 },
      { type: "ReportSubmitted", count: 30 },
      { type: "ReportVerifiedByHand", count: 3 },
    ]);
    const touched = await eventsOf(fixture, changed[0] as string);
    expect(touched.map(({ type }) => type)).toEqual(["ReportSubmitted", "ReportVerifiedByHand"]);
  });

  it("reports the outcome for each: done, refused, changed, deleted, unknown or the caller's own", async () => {
    const [free = "", rejected = "", changed = "", gone = ""] = await submitMany(4);
    const reject = { body: { reason: "No proof" }, as: "admin" } as const;
    await fixture.call("POST", admin(rejected, "/reject"), reject);
    await fixture.call("POST", admin(changed, "/verify"), { body: {}, as: "admin" });
    await fixture.call("DELETE", admin(gone), { body: {}, as: "admin" });
    const own = await fixture.call("POST", "/prod/api/reports/submit", {
      body: chargeback,
      as: "admin",
    });
    const ownId: string = own.json().data.id;
    const unknown = randomUUID();
    const reports = [...seen([free, changed, gone, ownId, unknown]), { id: rejected, revision: 1 }];
    const { job, lines } = await decided({ command: "reject", reason: "Spam", reports });
    const became = Object.fromEntries(lines.map(({ target, ...rest }) => [target, rest]));
    expect(became).toEqual({
      [free]: { outcome: "done", code: null },
      [rejected]: { outcome: "refused", code: "status_unchanged" },
      [changed]: { outcome: "conflict", code: "conflict" },
      [gone]: { outcome: "gone", code: "report_deleted" },
      [ownId]: { outcome: "refused", code: "forbidden" },
      [unknown]: { outcome: "gone", code: "report_not_found" },
    });
    const last = (await eventsOf(fixture, free)).at(-1);
    expect(last).toMatchObject({
      type: "ReportRejected",
      metadata: { command: "RejectReport", correlationId: job },
    });
    expect((await eventsOf(fixture, ownId)).map(({ type }) => type)).toEqual(["ReportSubmitted"]);
  });

  it("lists a report held by a copyright notice as refused, and decides the others", async () => {
    const held = await publicReport(fixture, someAddress());
    await takenDown(fixture, held);
    const before = await eventsOf(fixture, held);
    const [other = ""] = await submitMany(1);
    const reports = [{ id: held, revision: before.length - 1 }, ...seen([other])];
    const { lines } = await decided({ command: "reject", reason: "No proof", reports });
    expect(lines).toHaveLength(2);
    expect(lines).toContainEqual({ target: held, outcome: "refused", code: "held_by_notice" });
    expect(await eventsOf(fixture, held)).toEqual(before);
    expect((await eventsOf(fixture, other)).at(-1)?.type).toBe("ReportRejected");
  });

  it("lists a report from a suspended address as refused, with the reason, not as a conflict", async () => {
    const { email } = await infringer(fixture, 2);
    const held = await submit(fixture, { ...chargeback, reporter_email: email });
    // SubmissionHeldBack follows ReportSubmitted.
    const reports = seen([held], 1);
    const { job, lines } = await decided({ command: "approve", reports });
    expect(lines).toEqual([{ target: held, outcome: "refused", code: "reporter_suspended" }]);
    const { rows } = await fixture.db.query(
      "select message from command.job_line where job_id = $1",
      [job],
    );
    expect(rows[0].message).toMatch(
      /^We currently don't accept reports from this reporter's address/,
    );
  });

  it("approves, sets a status, and starts one job per key", async () => {
    const [id = ""] = await submitMany(1);
    const body = { command: "approve", reports: seen([id]) };
    const key = randomUUID();
    const first = await bulk(body, key);
    await fixture.api.jobs.settled();
    const again = await bulk(body, key);
    expect(again.json().data).toEqual(first.json().data);
    expect((await bulk({ ...body, reports: seen([id], 1) }, key)).statusCode).toBe(422);
    await fixture.api.jobs.settled();
    const status = { command: "status", status: "under_review", reports: seen([id], 1) };
    await decided(status);
    expect((await eventsOf(fixture, id)).map(({ type }) => type)).toEqual([
      "ReportSubmitted",
      "ReportApproved",
      "ReportStatusSet",
    ]);
  });

  it("decides nothing twice if a process died between the event and its line", async () => {
    const ids = await submitMany(3);
    const { job } = await decided({ command: "approve", reports: seen(ids) });
    const second = ids[1] as string;
    // What the next process finds: the second report's event, but no line about it.
    const answer = await bulk({ command: "status", status: "pending", reports: seen(ids, 1) });
    await fixture.api.jobs.settled();
    const again: string = answer.json().data.job_id;
    expect(again).not.toBe(job);
    await fixture.db.query("delete from command.job_line where job_id = $1 and target = $2", [
      again,
      second,
    ]);
    const before = await eventsOf(fixture, second);
    const other = await fixture.another();
    await resume(again, { command: "status", status: "pending", reports: seen(ids, 1) });
    other.jobs.look();
    await other.jobs.settled();
    expect((await linesOf(again)).map(({ target }) => target).sort()).toEqual(ids.toSorted());
    expect(await linesOf(again)).toContainEqual({ target: second, outcome: "done", code: null });
    expect(await eventsOf(fixture, second)).toEqual(before);
  });

  it("can be stopped midway: decided reports stay decided, the rest are unchanged", async () => {
    const ids = await submitMany(8);
    // Block appends, so that the job is certainly midway.
    const holder = await fixture.db.connect();
    await holder.query("select pg_advisory_lock($1)", [APPEND_LOCK]);
    const answer = await bulk({ command: "approve", reports: seen(ids) });
    const job: string = answer.json().data.job_id;
    await expect.poll(() => stateOf(job)).toBe("running");
    const stop = await fixture.call("POST", `/prod/api/system/jobs/${job}/stop`, {
      body: {},
      as: "admin",
    });
    expect(stop.json().data).toEqual({ id: job, state: "stopping" });
    await holder.query("select pg_advisory_unlock_all()");
    holder.release();
    await fixture.api.jobs.settled();
    expect(await stateOf(job)).toBe("stopped");
    const lines = await linesOf(job);
    // Reports already started are finished.
    expect(lines.length).toBeLessThanOrEqual(4);
    const approved = await fixture.db.query(
      "select count(*)::int from event_log.event where type = 'ReportApproved' and stream = any($1)",
      [ids.map((id) => `report-${id}`)],
    );
    expect(approved.rows[0].count).toBe(lines.length);
  });

  it.each([
    ["reason", { command: "reject" }],
    ["reason", { command: "reject", reason: " " }],
    ["reason", { command: "reject", reason_code: "other" }],
    ["command", { command: "approve", reason_code: "abusive" }],
    ["reason_code", { command: "reject", reason_code: "mood" }],
    ["reason", { command: "status", status: "rejected" }],
    ["status", { command: "status" }],
    ["command", { command: "approve", reason: "Fine" }],
    ["command", { command: "delete" }],
    ["reports", { command: "approve", reports: [] }],
  ])("refuses a bad %s: %o", async (field, body) => {
    const answer = await bulk({ reports: seen([randomUUID()]), ...body });
    expect([answer.statusCode, Object.keys(answer.json().error.fields)]).toEqual([400, [field]]);
  });

  it("refuses duplicate reports, more than a thousand, and an auditor", async () => {
    const id = randomUUID();
    const twice = await bulk({ command: "approve", reports: seen([id, id]) });
    expect(Object.keys(twice.json().error.fields)).toEqual(["reports"]);
    const many = seen(Array.from({ length: BULK_REPORTS + 1 }, () => randomUUID()));
    expect((await bulk({ command: "approve", reports: many })).statusCode).toBe(400);
    const auditor = await bulk({ command: "approve", reports: seen([id]) }, undefined, "auditor");
    expect(auditor.statusCode).toBe(403);
  });
});

/** Puts an ended job back into the state in which a dead process would have left it. */
async function resume(job: string, body: object): Promise<void> {
  const { rows } = await fixture.db.query("select account_id from command.job where id = $1", [
    job,
  ]);
  const subject = `account-${rows[0].account_id}`;
  const found = (await fixture.api.keys.get([subject])).get(subject);
  if (found?.state !== "present") throw new Error("the account has no key");
  const sealed = sealColumn(
    found.key,
    { input: body as never, role: "admin", origin: "live" },
    { table: "command.job", column: "sealed", rowId: job, key: subject },
  );
  await fixture.db.query(
    `update command.job set state = 'running', sealed = $2, ended_at = null, runner = $3,
       lease_until = now() - interval '1 s', done = done + 10 where id = $1`,
    [job, JSON.stringify(sealed), randomUUID()],
  );
}
