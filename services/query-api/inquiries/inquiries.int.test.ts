import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Inquiries } from "#contracts/http/admin-inquiries.ts";
import { caseNumber } from "#contracts/inquiry/inquiry-forms.ts";
import { forFile } from "#test-kit/for-file.ts";
import { insertRow } from "../testing/insert-row.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";

const URL = "/prod/api/admin/inquiries";
const HOUR_MS = 3_600_000;

const service = forFile(() => startQueryApi());
beforeAll(async () => {
  await service.moveTo(5);
});

async function read(query = ""): Promise<Inquiries> {
  const answer = await service.get(URL + query, { as: "admin" });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data;
}

/** Adds a row. @param hoursAgo when it was received. @returns its ID. */
async function add(hoursAgo: number, columns: Record<string, unknown> = {}): Promise<string> {
  const received_at = new Date(Date.now() - hoursAgo * HOUR_MS).toISOString();
  const row: Record<string, unknown> = {
    id: randomUUID(),
    kind: "enterprise",
    status: "new",
    status_revision: 0,
    email: "a***@***",
    has_document: false,
    message_chars: 20,
    notes: 0,
    received_at,
    waiting_since: received_at,
    ...columns,
  };
  await insertRow(service.db, "inquiries.inquiry", row);
  return String(row.id);
}

describe("the list of inquiries", () => {
  const added: string[] = [];
  let late = "";
  let answered = "";
  beforeAll(async () => {
    // Two received at the same moment, on the border between two pages.
    const received_at = new Date(Date.now() - 20 * HOUR_MS).toISOString();
    for (let n = 0; n < 24; n += 1) added.push(await add(n / 2));
    for (const _ of [1, 2]) added.push(await add(20, { received_at }));
    late = await add(25, { kind: "law_enforcement" });
    answered = await add(26, { status: "answered", answered_at: new Date().toISOString() });
    // Of a form that this version doesn't know.
    await add(1, { kind: "carrier_pigeon" });
  });

  it("lists each once across pages, newest first", async () => {
    const first = await read();
    const second = await read(`?after=${encodeURIComponent(first.next ?? "")}`);
    const ids = [...first.inquiries, ...second.inquiries].map(({ id }) => id);
    expect([first.inquiries.length, second.next]).toEqual([25, undefined]);
    expect(ids.toSorted()).toEqual([...added, late, answered].toSorted());
    expect(ids[0]).toBe(added[0]);
  });

  it("shows when each reply is due, and which are late", async () => {
    const { inquiries } = await read("?overdue=yes");
    expect(inquiries.map(({ id }) => id)).toEqual([late]);
    const [found] = inquiries;
    expect(found?.number).toBe(caseNumber("law_enforcement", late));
    const promised = Date.parse(found?.answer_by ?? "") - Date.parse(found?.received_at ?? "");
    expect(promised).toBe(24 * HOUR_MS);
  });

  it("counts the promised time from the latest message", async () => {
    const waiting_since = new Date(Date.now() - HOUR_MS).toISOString();
    const id = await add(30, { kind: "law_enforcement", status: "in_work", waiting_since });
    const { inquiries } = await read("?overdue=yes");
    expect(inquiries.map((each) => each.id)).toEqual([late]);
    const found = (await read("?status=in_work")).inquiries.find((each) => each.id === id);
    expect(Date.parse(found?.answer_by ?? "") - Date.parse(waiting_since)).toBe(24 * HOUR_MS);
    await service.db.query("delete from inquiries.inquiry where id = $1", [id]);
  });

  it("is filtered by kind and by status", async () => {
    const of = async (query: string) => (await read(query)).inquiries.map(({ id }) => id);
    expect(await of("?kind=law_enforcement")).toEqual([late]);
    expect(await of("?status=answered")).toEqual([answered]);
    expect(await of("?status=answered&kind=law_enforcement")).toEqual([]);
  });
});

describe("an inquiry's page", () => {
  it("shows what was done and by whom, with notes and answers, and nothing of what was sent", async () => {
    const id = await add(2, { kind: "law_enforcement" });
    const [report_id, answer_id] = [randomUUID(), randomUUID()];
    const sender = { name: "Canary-name", email: "canary@police.example", answers: [] };
    await service.append(`inquiry-${id}`, [
      {
        event: { type: "InquiryReceived", data: { kind: "law_enforcement", sender } },
        role: "visitor",
        command: "SendInquiry",
      },
      {
        event: {
          type: "InquiryNoteAdded",
          data: { note_id: randomUUID(), note: { text: "Rang" } },
        },
        role: "admin",
        command: "AddInquiryNote",
      },
      {
        event: {
          type: "InquiryAnswered",
          data: {
            link: { link_id: answer_id, expires_at: "2027-01-01T00:00:00.000Z" },
            note: { text: "Please send the order" },
          },
        },
        role: "admin",
        command: "AnswerInquiry",
      },
      {
        event: {
          type: "InquiryReplied",
          data: { answer_id, sender: { text: "Canary-reply" } },
        },
        role: "visitor",
        command: "ReplyToInquiry",
      },
      {
        event: { type: "ReportDisclosed", data: { report_id, revision: 0 } },
        role: "admin",
        command: "DiscloseReport",
      },
    ]);
    const answer = await service.get(`${URL}/${id}`, { as: "admin" });
    expect(answer.statusCode, answer.body).toBe(200);
    const by = expect.stringContaining("Ruiz");
    expect(answer.json().data.steps).toMatchObject([
      { revision: 4, type: "disclosed", report_id, by },
      { revision: 3, type: "replied", answer_id },
      { revision: 2, type: "answered", answer_id, text: "Please send the order", by },
      { revision: 1, type: "note", text: "Rang", by },
      { revision: 0, type: "received" },
    ]);
    expect(answer.body).not.toMatch(/canary/i);
    expect((await service.get(`${URL}/${randomUUID()}`, { as: "admin" })).statusCode).toBe(404);
  });
});
