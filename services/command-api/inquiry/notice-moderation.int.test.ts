import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { toWire } from "#contracts/events/report/stored-report.ts";
import { caseNumber } from "#contracts/inquiry/inquiry-forms.ts";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import { forFile } from "#test-kit/for-file.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import { chargeback, refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import { admin, approveBySystem, submit } from "../testing/reports.fixture.ts";

const fixture = forFile(() => startCommandApi());

const signed = {
  name: "Canary-name",
  email: "canary@owner.example",
  address: "Canary-street 1",
  signature: "Canary-name",
};
const notice = {
  ...signed,
  work: "Canary-work",
  material: "Canary-material",
  good_faith: "yes",
  accuracy: "yes",
};
const counter = {
  ...signed,
  phone: "555 0100",
  material: "Canary-material",
  reason: "Canary-reason",
  mistake: "yes",
  jurisdiction: "yes",
};
const DAY_MS = 24 * 3_600_000;

async function sent(url: string, body: object): Promise<string> {
  const answer = await fixture.call("POST", url, { body });
  expect(answer.statusCode, answer.body).toBe(200);
  const { rows } = await fixture.db.query<{ id: string }>(
    "select id from command.inquiry where replace(id::text, '-', '') like $1",
    [`${answer.json().data.number.slice(2).replace("-", "").toLowerCase()}%`],
  );
  return rows[0]?.id ?? "";
}
const noticed = () => sent("/prod/api/dmca/notices", notice);
const countered = () => sent("/prod/api/dmca/counter-notices", counter);

function act(
  id: string,
  what: string,
  body: object = {},
  options: { as?: "admin" | "user" | "auditor"; key?: string } = {},
) {
  const url = `/prod/api/admin/notices/${id}/${what}`;
  return fixture.call("POST", url, { body, as: "admin", ...options });
}

async function done(id: string, what: string, body: object): Promise<{ status: string }> {
  const answer = await act(id, what, body);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data;
}

const eventsOf = (stream: string) => fixture.events(stream);
const typesOf = async (id: string) => (await eventsOf(`notice-${id}`)).map(({ type }) => type);
const typesOfReport = async (id: string) =>
  (await eventsOf(`report-${id}`)).map(({ type }) => type).slice(1);
const statusOf = async (id: string) => (await fixture.api.reports.load(id))?.status;

async function approved(): Promise<string> {
  const id = await submit(fixture);
  const answer = await fixture.call("POST", admin(id, "/approve"), { as: "admin", body: {} });
  expect(answer.statusCode, answer.body).toBe(200);
  return id;
}

/** A notice that took these reports down. */
async function takenDown(...reports: string[]): Promise<string> {
  const id = await noticed();
  for (const [revision, report_id] of reports.entries())
    await done(id, "link", { report_id, revision });
  await done(id, "take-down", { reason: "Canary-why", revision: reports.length });
  return id;
}

const bySystem = () => newEnvelope(systemCaller(new Date().toISOString()));

/** A notice linked to these reports, whose take-down was interrupted after the first one. */
async function halfTakenDown(...reports: [string, ...string[]]): Promise<string> {
  const id = await noticed();
  for (const [revision, report_id] of reports.entries())
    await done(id, "link", { report_id, revision });
  const hide = { type: "TakeDownMaterial", noticeId: id, reason: undefined } as const;
  await fixture.api.reports.execute(reports[0], hide, bySystem());
  expect(await statusOf(reports[0])).toBe("under_review");
  return id;
}

/** A report that names the admin used in these tests. */
async function namingAdmin(): Promise<string> {
  const id = await submit(fixture, { ...chargeback, first_name: "Dana", last_name: "Ruiz" });
  await approveBySystem(fixture, id);
  return id;
}

describe("a DMCA notice", () => {
  it("takes down everything it is linked to, and nothing twice", async () => {
    const reports = [await approved(), await approved()];
    const id = await noticed();
    for (const [revision, report_id] of reports.entries())
      expect(await done(id, "link", { report_id, revision })).toMatchObject({ status: "in_work" });
    const key = randomUUID();
    const body = { reason: "Canary-why", revision: 2 };
    for (const _ of [1, 2]) {
      const answer = await act(id, "take-down", body, { key });
      expect(answer.json().data).toEqual({ id, status: "taken_down", revision: 3 });
    }
    for (const report of reports) {
      expect(await statusOf(report)).toBe("under_review");
      expect(await typesOfReport(report)).toEqual(["ReportApproved", "ReportTakenDown"]);
    }
    expect(await typesOf(id)).toEqual([
      "NoticeReceived",
      "NoticeLinked",
      "NoticeLinked",
      "NoticeGranted",
    ]);
    const all = JSON.stringify([
      await eventsOf(`notice-${id}`),
      await eventsOf(`report-${reports[0]}`),
    ]);
    expect(all).not.toMatch(/canary/i);
  });

  it("changes no report if it is refused a change itself", async () => {
    const report = await approved();
    const id = await noticed();
    await done(id, "link", { report_id: report, revision: 0 });
    const late = await act(id, "take-down", { revision: 0 });
    expect(refusal(late)).toEqual([409, "conflict"]);
    expect(await typesOfReport(report)).toEqual(["ReportApproved"]);
    await done(id, "refuse", { reason_code: "unfounded", reason: "Canary-why", revision: 1 });
    const ended = await act(id, "take-down", { revision: 2 });
    expect(refusal(ended)).toEqual([409, "wrong_status"]);
    expect(await typesOfReport(report)).toEqual(["ReportApproved"]);
  });

  it("finishes an interrupted take-down, each report once", async () => {
    const [first, second] = [await approved(), await approved()];
    const id = await halfTakenDown(first, second);
    await done(id, "take-down", { revision: 2 });
    expect([await statusOf(first), await statusOf(second)]).toEqual([
      "under_review",
      "under_review",
    ]);
    const downs = (await typesOfReport(first)).filter((type) => type === "ReportTakenDown");
    expect(downs).toHaveLength(1);
  });

  it("takes nothing down if one of the reports isn't public", async () => {
    const [open, pending] = [await approved(), await submit(fixture)];
    const id = await noticed();
    await done(id, "link", { report_id: open, revision: 0 });
    await done(id, "link", { report_id: pending, revision: 1 });
    const ended = await act(id, "take-down", { revision: 2 });
    expect(refusal(ended)).toEqual([409, "report_not_public"]);
    expect(await typesOfReport(open)).toEqual(["ReportApproved"]);
  });

  it("restores what an interrupted take-down hid if the notice is refused or unlinked", async () => {
    const [refused, unlinked] = [await approved(), await approved()];
    const one = await halfTakenDown(refused, await submit(fixture));
    await done(one, "refuse", { reason_code: "unfounded", revision: 2 });
    const other = await halfTakenDown(unlinked, await submit(fixture));
    await done(other, "unlink", { report_id: unlinked, revision: 2 });
    for (const report of [refused, unlinked]) {
      expect(await statusOf(report)).toBe("approved");
      expect(await typesOfReport(report)).toEqual([
        "ReportApproved",
        "ReportTakenDown",
        "ReportPutBack",
      ]);
    }
  });

  it.each([
    ["refused", "refuse", () => ({ reason_code: "unfounded", revision: 1 })],
    ["unlinked", "unlink", (report_id: string) => ({ report_id, revision: 1 })],
  ])("restores what it took down if the notice was concurrently %s", async (_, what, body) => {
    const report = await approved();
    const id = await noticed();
    await done(id, "link", { report_id: report, revision: 0 });
    const { reports } = fixture.api;
    const execute = vi.spyOn(reports, "execute").mockImplementationOnce(async (...sent) => {
      execute.mockRestore();
      await done(id, what, body(report));
      return reports.execute(...sent);
    });
    expect((await act(id, "take-down", { revision: 1 })).statusCode).toBe(409);
    expect(await typesOfReport(report)).toEqual([
      "ReportApproved",
      "ReportTakenDown",
      "ReportPutBack",
    ]);
  });

  it("doesn't take down restored material again when a take-down is repeated", async () => {
    const report = await approved();
    const id = await noticed();
    await done(id, "link", { report_id: report, revision: 0 });
    const key = randomUUID();
    expect((await act(id, "take-down", { revision: 1 }, { key })).statusCode).toBe(200);
    await done(id, "lift", { reason_code: "mistake", revision: 2 });
    expect((await act(id, "take-down", { revision: 1 }, { key })).statusCode).toBe(200);
    expect(await statusOf(report)).toBe("approved");
  });

  it("lets moderators restore an earlier version without publishing it, but undo no decision", async () => {
    const report = await approved();
    const call = (path: string, body: object) =>
      fixture.call("POST", admin(report, path), { as: "admin", body });
    const edited = { as: "admin", body: { city: "Boulder" } } as const;
    expect((await fixture.call("PUT", admin(report), edited)).statusCode).toBe(200);
    const id = await takenDown(report);
    const undone = await call("/undo", {});
    expect(refusal(undone)).toEqual([409, "not_undoable"]);
    expect((await call("/restore", { revision: 0 })).statusCode).toBe(200);
    const held = await fixture.api.reports.load(report);
    expect(held).toMatchObject({ status: "under_review", holds: [id] });
    expect(toWire(held as ReportState)).toMatchObject({ city: chargeback.city });
    await done(id, "lift", { reason_code: "mistake", revision: 2 });
    expect(await statusOf(report)).toBe("approved");
  });

  it("requires another admin if one of its reports names the admin", async () => {
    const own = await namingAdmin();
    const of = (report_id: string, revision: number) => ({ report_id, revision });
    const inbox = fixture.api.noticeModeration;
    const fresh = await noticed();
    const linked = await noticed();
    await inbox.link(linked, of(own, 0), bySystem());
    const down = await noticed();
    await inbox.link(down, of(own, 0), bySystem());
    await inbox.takeDown(down, { revision: 1 }, bySystem());
    const [answer, passedOn] = [await countered(), await countered()];
    const number = { notice: caseNumber("takedown", down), revision: 0 };
    await inbox.passOn(passedOn, number, bySystem());
    const streams = [fresh, linked, down, answer, passedOn];
    const all = () => Promise.all([...streams.map((id) => typesOf(id)), typesOfReport(own)]);
    const before = await all();
    for (const [id, what, body] of [
      [fresh, "link", of(own, 0)],
      [linked, "unlink", of(own, 1)],
      [linked, "refuse", { reason_code: "unfounded", revision: 1 }],
      [linked, "take-down", { revision: 1 }],
      [linked, "reveal", {}],
      [down, "lift", { reason_code: "mistake", revision: 3 }],
      [answer, "pass-on", number],
      [passedOn, "refuse", { reason_code: "unfounded", revision: 1 }],
      [passedOn, "reveal", {}],
      [passedOn, "restore", { revision: 1 }],
      [passedOn, "delete", { reason_code: "spam", revision: 1 }],
    ] as const) {
      const refused = await act(id, what, body);
      const { code, message } = refused.json().error ?? {};
      expect([what, refused.statusCode, code, message]).toEqual([
        what,
        403,
        "forbidden",
        OWN_REPORT,
      ]);
    }
    expect(await all()).toEqual(before);
  });

  it("can be deleted once closed: content, notes and key are gone, and the log says why", async () => {
    const id = await noticed();
    const key = randomUUID();
    const remove = (revision: number) =>
      act(id, "delete", { reason_code: "spam", revision }, { key });
    const early = await remove(0);
    expect(refusal(early)).toEqual([409, "notice_open"]);
    await done(id, "notes", { text: "Canary-note" });
    await done(id, "refuse", { reason_code: "unfounded", reason: "Canary-why", revision: 0 });
    const wrong = await act(id, "delete", { reason_code: "whim", revision: 1 });
    expect(wrong.statusCode).toBe(400);
    const subject = `inquiry-${id}`;
    const keyState = () => fixture.keyState(subject);
    expect(await keyState()).toBe("present");
    for (const _ of [1, 2]) {
      const answer = await remove(1);
      expect(answer.json().data, answer.body).toEqual({ id, status: "refused", revision: 1 });
    }
    const events = await eventsOf(`notice-${id}`);
    expect(events.map(({ type }) => type)).toEqual([
      "NoticeReceived",
      "NoticeNoteAdded",
      "NoticeRefused",
      "NoticeErased",
    ]);
    expect(events.at(-1)?.data).toEqual({ by: "spam" });
    expect(await keyState()).toBe("destroyed");
    const { rowCount } = await fixture.db.query("select from command.inquiry where id = $1", [id]);
    expect(rowCount).toBe(0);
    for (const [what, body] of [
      ["reveal", {}],
      ["notes", { text: "More" }],
      ["delete", { reason_code: "spam", revision: 1 }],
    ] as const)
      expect([what, (await act(id, what, body)).statusCode]).toEqual([what, 404]);
  });

  it("restores everything when withdrawn, except deleted reports", async () => {
    const [kept, deleted] = [await approved(), await approved()];
    const id = await takenDown(kept, deleted);
    const gone = await fixture.call("DELETE", admin(deleted), { as: "admin", body: {} });
    expect(gone.statusCode, gone.body).toBe(200);
    expect(await done(id, "lift", { reason_code: "withdrawn", revision: 3 })).toMatchObject({
      status: "lifted",
    });
    expect([await statusOf(kept), await statusOf(deleted)]).toEqual(["approved", "deleted"]);
  });

  it("holds a report against moderators until lifted, even if the notice is erased", async () => {
    const report = await approved();
    const id = await takenDown(report);
    const approve = await fixture.call("POST", admin(report, "/approve"), {
      as: "admin",
      body: {},
    });
    expect(refusal(approve)).toEqual([409, "held_by_notice"]);
    const caller = systemCaller(new Date().toISOString());
    expect(await fixture.api.inquiries.eraseById(id, caller)).toBe(true);
    expect((await act(id, "reveal")).statusCode).toBe(404);
    expect((await act(id, "notes", { text: "More" })).statusCode).toBe(404);
    await done(id, "lift", { reason_code: "mistake", revision: 2 });
    expect(await statusOf(report)).toBe("approved");
  });

  it("restores what it hid for a counter-notice, after ten business days", async () => {
    const report = await approved();
    const id = await takenDown(report);
    const answer = await countered();
    const number = caseNumber("takedown", id);
    const unknown = await act(answer, "pass-on", { notice: "N-00000-00000", revision: 0 });
    expect([unknown.statusCode, Object.keys(unknown.json().error.fields)]).toEqual([
      400,
      ["notice"],
    ]);
    expect(await done(answer, "pass-on", { notice: number, revision: 0 })).toMatchObject({
      status: "passed_on",
    });
    expect((await typesOf(id)).at(-1)).toBe("NoticeCountered");
    const early = await act(answer, "restore", { revision: 1 });
    expect([early.statusCode, await statusOf(report)]).toEqual([409, "under_review"]);
    const later = systemCaller(new Date(Date.now() + 25 * DAY_MS).toISOString());
    const restored = await fixture.api.noticeModeration.restore(
      answer,
      { revision: 1 },
      newEnvelope(later),
    );
    expect(restored.status).toBe("restored");
    expect(await statusOf(report)).toBe("approved");
    expect((await eventsOf(`notice-${id}`)).at(-1)).toMatchObject({
      type: "NoticeLifted",
      data: { by: "counter_notice", counter_notice_id: answer },
    });
  });

  it("is not found under the ID of an inquiry, or with an unknown report or picture", async () => {
    const id = await noticed();
    const link = { report_id: await approved(), revision: 0 };
    expect((await act(randomUUID(), "link", link)).statusCode).toBe(404);
    const contact = { company: "Acme", name: "Ann", email: "ann@acme.example", useCase: "Checks" };
    const inquiry = await sent("/prod/api/enterprise/contact", contact);
    for (const [what, body] of [
      ["link", link],
      ["refuse", { reason_code: "other", revision: 0 }],
      ["lift", { reason_code: "mistake", revision: 0 }],
      ["reveal", {}],
    ] as const)
      expect([what, (await act(inquiry, what, body)).statusCode]).toEqual([what, 404]);
    const missing = { report_id: randomUUID(), revision: 0 };
    expect((await act(id, "link", missing)).statusCode).toBe(404);
    const noPicture = { ...link, copy_id: randomUUID() };
    expect((await act(id, "link", noPicture)).statusCode).toBe(404);
  });

  it("shows what was sent after an event, and stores a note encrypted", async () => {
    const id = await noticed();
    const opened = await act(id, "reveal");
    expect(opened.json().data).toContainEqual({
      label: "The copyrighted work",
      text: "Canary-work",
    });
    await done(id, "notes", { text: " Canary-note " });
    expect(await typesOf(id)).toEqual(["NoticeReceived", "NoticeViewed", "NoticeNoteAdded"]);
    expect(JSON.stringify(await eventsOf(`notice-${id}`))).not.toMatch(/canary/i);
  });
});
