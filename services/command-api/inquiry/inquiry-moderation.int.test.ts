import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import { forFile } from "#test-kit/for-file.ts";
import { systemCaller } from "../kernel/envelope.ts";
import { chargeback, refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import { eventsOf as reportEvents, submit } from "../testing/reports.fixture.ts";
import { named, upload } from "../testing/uploads.fixture.ts";

const fixture = forFile(() => startCommandApi());

const request = {
  agency: "Canary-agency",
  name: "Canary-officer",
  email: "canary@police.example",
  legal_basis: "Canary-order",
  cases: "Canary-case",
};
const contact = { company: "Acme", name: "Ann", email: "ann@acme.example", useCase: "Checks" };

/** Sends a form. @returns the inquiry's ID. */
async function sent(url: string, body: object): Promise<string> {
  const answer = await fixture.call("POST", url, { body });
  expect(answer.statusCode, answer.body).toBe(200);
  const { rows } = await fixture.db.query<{ id: string }>(
    "select id from command.inquiry order by received_at desc, id limit 1",
  );
  return rows[0]?.id ?? "";
}
const asked = (more: object = {}) =>
  sent("/prod/api/law-enforcement/requests", { ...request, ...more });
const contacted = () => sent("/prod/api/enterprise/contact", contact);

async function act(
  id: string,
  what: string,
  body: object = {},
  options: { as?: "admin" | "user" | "auditor"; key?: string } = {},
) {
  const url = `/prod/api/admin/inquiries/${id}/${what}`;
  return fixture.call("POST", url, { body, as: "admin", ...options });
}
const eventsOf = (stream: string) => fixture.events(stream);
const typesOf = async (id: string) => (await eventsOf(`inquiry-${id}`)).map(({ type }) => type);

describe("handling an inquiry", () => {
  it("opens what was sent, after an event each time", async () => {
    const id = await asked();
    const key = randomUUID();
    for (const looks of [1, 2]) {
      const answer = await act(id, "reveal", {}, { key });
      expect(answer.json().data).toContainEqual({ label: "Agency", text: "Canary-agency" });
      expect((await typesOf(id)).filter((type) => type === "InquiryViewed")).toHaveLength(looks);
    }
    expect((await typesOf(id)).filter((type) => type === "InquiryViewed")).toHaveLength(2);
  });

  it("changes the status once per revision seen", async () => {
    const id = await contacted();
    const first = await act(id, "status", { status: "in_work", revision: 0 });
    expect(first.json().data).toEqual({ id, status: "in_work", status_revision: 1 });
    const late = await act(id, "status", { status: "closed", revision: 0 });
    expect(refusal(late)).toEqual([409, "conflict"]);
    const unknown = await act(id, "status", { status: "won", revision: 1 });
    expect(unknown.statusCode).toBe(400);
    expect(await typesOf(id)).toEqual(["InquiryReceived", "InquiryStatusChanged"]);
  });

  it("stores a note encrypted, once per key, and erases it with the inquiry", async () => {
    const id = await contacted();
    const key = randomUUID();
    for (const _ of [1, 2])
      expect((await act(id, "notes", { text: " Canary-note " }, { key })).statusCode).toBe(200);
    expect((await act(id, "notes", { text: "  " })).statusCode).toBe(400);
    expect(await typesOf(id)).toEqual(["InquiryReceived", "InquiryNoteAdded"]);
    expect(JSON.stringify(await eventsOf(`inquiry-${id}`))).not.toMatch(/canary/i);
    expect(await fixture.api.inquiries.eraseById(id, caller())).toBe(true);
    const subject = `inquiry-${id}`;
    expect(await fixture.keyState(subject)).toBe("destroyed");
    for (const [what, body] of [
      ["notes", { text: "More" }],
      ["status", { status: "closed", revision: 0 }],
      ["reveal", {}],
      ["document", {}],
      ["disclose", { report_id: randomUUID() }],
    ] as const)
      expect([what, (await act(id, what, body)).statusCode]).toEqual([what, 404]);
  });

  it("opens the document after an event", async () => {
    const id = await asked({ document_file: named(await upload(fixture)) });
    const answer = await act(id, "document");
    expect([answer.statusCode, answer.rawPayload.length > 0]).toEqual([200, true]);
    expect((await typesOf(id)).at(-1)).toBe("InquiryDocumentViewed");
    expect((await act(await contacted(), "document")).statusCode).toBe(404);
  });

  it("opens a report for law enforcement after logging the access and its purpose", async () => {
    const report = await submit(fixture);
    const before = await looksAt(report);
    const id = await asked();
    const answer = await act(id, "disclose", { report_id: report });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json().data.reporter_email).toBe("rae@shop.example");
    const disclosed = (await eventsOf(`inquiry-${id}`)).at(-1);
    const revision = (await reportEvents(fixture, report)).length - 1;
    expect(disclosed).toMatchObject({
      type: "ReportDisclosed",
      data: { report_id: report, revision },
    });
    expect(await looksAt(report)).toBe(before + 1);
  });

  it("discloses nothing while the disclosure can't be logged, and records it once per key", async () => {
    const report = await submit(fixture);
    const id = await asked();
    const key = randomUUID();
    const disclose = () => act(id, "disclose", { report_id: report }, { key });
    await fixture.db.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'full'; end $$;
      create trigger refuse before insert on event_log.event for each row
        when (new.type = 'ReportDisclosed') execute function refuse()`);
    const refused = await disclose().finally(() =>
      fixture.db.query("drop trigger refuse on event_log.event; drop function refuse"),
    );
    expect(refused.statusCode).toBeGreaterThanOrEqual(500);
    expect(refused.body).not.toContain("rae@shop.example");
    expect(await looksAt(report)).toBe(1);
    for (const looks of [2, 3]) {
      expect((await disclose()).json().data.reporter_email).toBe("rae@shop.example");
      expect(await looksAt(report)).toBe(looks);
    }
    expect((await typesOf(id)).filter((type) => type === "ReportDisclosed")).toHaveLength(1);
  });

  it("opens no report for a closed request, and no deleted report, and records neither", async () => {
    const [report, gone] = [await submit(fixture), await submit(fixture)];
    const id = await asked();
    const deleted = await fixture.call("DELETE", `/prod/api/admin/reports/${gone}`, {
      body: {},
      as: "admin",
    });
    expect(deleted.statusCode, deleted.body).toBe(200);
    expect((await act(id, "disclose", { report_id: gone })).statusCode).toBe(410);
    await act(id, "status", { status: "closed", revision: 0 });
    const answer = await act(id, "disclose", { report_id: report });
    expect(refusal(answer)).toEqual([409, "inquiry_closed"]);
    expect(await typesOf(id)).toEqual(["InquiryReceived", "InquiryStatusChanged"]);
    expect([await looksAt(report), await looksAt(gone)]).toEqual([0, 0]);
  });

  it("opens no report that names the admin, and records nothing", async () => {
    const name = { first_name: "Dana", last_name: "Ruiz" };
    const report = await submit(fixture, { ...chargeback, ...name });
    const id = await asked();
    const answer = await act(id, "disclose", { report_id: report });
    expect([answer.statusCode, answer.json().error.message]).toEqual([403, OWN_REPORT]);
    expect(await typesOf(id)).toEqual(["InquiryReceived"]);
    expect(await looksAt(report)).toBe(0);
  });

  it("doesn't work for notices", async () => {
    const { rows } = await fixture.db.query<{ id: string }>(
      "insert into command.inquiry (id, family, received_at) values (gen_random_uuid(), 'notice', now()) returning id",
    );
    expect((await act(rows[0]?.id ?? "", "reveal")).statusCode).toBe(404);
  });
});

async function looksAt(report: string): Promise<number> {
  const { rowCount } = await fixture.db.query(
    "select from event_log.event where type = 'PersonalDataViewed' and data ->> 'report_id' = $1",
    [report],
  );
  return rowCount ?? 0;
}
const caller = () => systemCaller(new Date().toISOString());
