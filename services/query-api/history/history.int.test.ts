import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type ReportEvent, streams } from "#contracts/events/index.ts";
import type { HistoryEntry } from "#contracts/http/admin-reports.ts";
import { subjects } from "#contracts/sealed.ts";
import { CANARIES } from "#test-kit/canaries.ts";
import { forFile } from "#test-kit/for-file.ts";
import { canarySubmission } from "../testing/canary-report.ts";
import { type Happened, startQueryApi } from "../testing/query-api.fixture.ts";

const service = forFile(() => startQueryApi());
beforeAll(async () => {
  await service.moveTo(5);
});

const happened = (command: string, role: Happened["role"], event: ReportEvent): Happened => ({
  command,
  role,
  event,
});

const edit: ReportEvent = {
  type: "ReportEdited",
  data: {
    fields: ["city", "amount", "notes"],
    set: { amount_cents: 48_000 },
    cleared: [],
    personal: { set: { city: "Boulder", notes: "another note of moderators" }, cleared: [] },
  },
};

/** Appends a report's events from submission to rejection. */
async function live(): Promise<string> {
  const id = randomUUID();
  await service.append(streams.report(id), [
    happened("SubmitReport", "visitor", canarySubmission("chargeback")),
    happened("VerifyReport", "admin", { type: "ReportVerifiedByHand", data: {} }),
    happened("EditReport", "admin", edit),
    happened("RejectReport", "admin", {
      type: "ReportRejected",
      data: { from: "pending", verified: true, personal: { reason: "No evidence was given" } },
    }),
  ]);
  return id;
}

const history = (id: string, as: "admin" | "auditor" = "admin", query = "") =>
  service.get(`/prod/api/admin/reports/${id}/history${query}`, { as });

describe("GET /prod/api/admin/reports/{id}/history", () => {
  it("shows every event: who, when, from where, and what it changed", async () => {
    const id = await live();
    const reply = await history(id);
    expect(reply.statusCode).toBe(200);
    const { data } = reply.json();
    expect(data).toMatchObject({ report_id: id, erased: false, reveals: [] });
    const events = data.events as HistoryEntry[];
    expect(events.map(({ command, revision }) => [command, revision])).toEqual([
      ["SubmitReport", 0],
      ["VerifyReport", 1],
      ["EditReport", 2],
      ["RejectReport", 3],
    ]);
    expect(events[0]).toMatchObject({
      actor: { id: "visitor", role: "visitor" },
      ip_address: "203.0.x.x",
      user_agent: "Firefox on Linux",
      at: "2026-11-21T10:00:00.000Z",
      origin: "live",
      status: "pending",
      verified: false,
    });
    expect(events[2]).toMatchObject({
      actor: { id: service.accounts.admin, role: "admin", name: "Dana Ruiz" },
      changes: [
        { field: "city", from: CANARIES.city, to: "Boulder" },
        { field: "amount", from: 412.5, to: 480 },
        { field: "notes", hidden: true },
      ],
    });
    expect(events[3]).toMatchObject({ reason: "No evidence was given", status: "rejected" });
  });

  it("compares any two revisions, without what the reader may not see", async () => {
    const id = await live();
    const between = async (at: number, against: number, as: "admin" | "auditor" = "auditor") =>
      (await history(id, as, `?at=${at}&against=${against}`)).json().data.difference;
    const edited = [
      { field: "city", from: CANARIES.city, to: "Boulder" },
      { field: "amount", from: 412.5, to: 480 },
      { field: "notes", hidden: true },
    ];
    expect(await between(2, 1)).toEqual(edited);
    expect(await between(1, 2)).toEqual([
      { field: "city", from: "Boulder", to: CANARIES.city },
      { field: "amount", from: 480, to: 412.5 },
      { field: "notes", hidden: true },
    ]);
    expect(await between(3, 0, "admin")).toEqual([
      { field: "status", from: "pending", to: "rejected" },
      { field: "verified", from: false, to: true },
      ...edited,
    ]);
    expect(await between(3, 3)).toEqual([]);
    expect((await history(id)).json().data).not.toHaveProperty("difference");
    const beyond = await history(id, "admin", "?at=1&against=9");
    expect([beyond.statusCode, beyond.json().error.message]).toEqual([
      404,
      "This report has no revision 9",
    ]);
    expect(JSON.stringify(await between(3, 0, "admin"))).not.toContain("another note");
  });

  it("shows which revision was restored", async () => {
    const id = await live();
    await service.append(streams.report(id), [
      happened("RestoreReport", "admin", { type: "ReportVersionRestored", data: { revision: 1 } }),
    ]);
    const events = (await history(id, "auditor")).json().data.events as HistoryEntry[];
    expect(events.map(({ restored }) => restored)).toEqual([...Array(4), 1]);
  });

  it("lists who revealed the report's encrypted data", async () => {
    const id = await live();
    const access = streams.access(randomUUID());
    const [viewed] = await service.append(access, [
      {
        command: "RevealReport",
        role: "admin",
        event: {
          type: "PersonalDataViewed",
          data: { report_id: id, revision: 3, parts: ["personal"], files: [] },
        },
      },
    ]);
    if (!viewed) throw new Error("nothing was appended");
    await service.addEntry(viewed, { report_id: id });
    const { reveals } = (await history(id, "auditor")).json().data;
    expect(reveals).toEqual([
      {
        id: viewed.id,
        at: "2026-11-21T10:00:00.000Z",
        actor: { id: service.accounts.admin, role: "admin", name: "Dana Ruiz" },
        ip_address: "203.0.x.x",
      },
    ]);
  });

  it("contains nothing of an erased reporter, but keeps the reported person", async () => {
    const id = await live();
    await service.keys.destroy([subjects.reporter(id)], new Date().toISOString());
    const reply = await history(id, "admin", "?at=0");
    expect(reply.json().data).toMatchObject({ erased: false, report: { city: CANARIES.city } });
    expect(reply.json().data.report).not.toHaveProperty("reporter_email");
    expect(reply.json().data.events[0]).not.toHaveProperty("ip_address");
  });

  it("does not treat a missing key as an erasure", async () => {
    const id = await live();
    await service.db.query("delete from keys.subject_key where subject = $1", [
      subjects.personal(id),
    ]);
    expect((await history(id)).statusCode).toBe(500);
  });

  it.each([
    ["visitor", 401],
    ["user", 403],
    ["auditor", 404],
  ] as const)("answers a %s who requests an unknown report with %i", async (as, status) => {
    const reply = await service.get(`/prod/api/admin/reports/${randomUUID()}/history`, { as });
    expect(reply.statusCode).toBe(status);
  });
});
