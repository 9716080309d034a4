import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Notices } from "#contracts/http/admin-notices.ts";
import { caseNumber } from "#contracts/inquiry/inquiry-forms.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { forFile } from "#test-kit/for-file.ts";
import { insertRow } from "../testing/insert-row.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";

const URL = "/prod/api/admin/notices";
const HOUR_MS = 3_600_000;

const service = forFile(() => startQueryApi());
beforeAll(async () => {
  await service.moveTo(5);
});

async function read(query = ""): Promise<Notices> {
  const answer = await service.get(URL + query, { as: "admin" });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data;
}

const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

/** Adds a row. @param hoursAgo when it was received. @returns its ID. */
async function add(hoursAgo: number, columns: Record<string, unknown> = {}): Promise<string> {
  const row: Record<string, unknown> = {
    id: randomUUID(),
    kind: "takedown",
    status: "new",
    revision: 0,
    email: "a***@***",
    erased: false,
    notes: 0,
    received_at: ago(hoursAgo),
    due_at: ago(hoursAgo - 48),
    targets: "[]",
    ...columns,
  };
  await insertRow(service.db, "inquiries.notice", row);
  return String(row.id);
}

describe("the list of notices", () => {
  const added: string[] = [];
  let late = "";
  let soon = "";
  let refused = "";
  let counter = "";
  beforeAll(async () => {
    // Two received at the same moment, on the border between two pages.
    const received_at = ago(20);
    for (let n = 0; n < 24; n += 1) added.push(await add(n / 2));
    for (const _ of [1, 2]) added.push(await add(20, { received_at }));
    late = await add(49);
    soon = await add(25);
    refused = await add(50, { status: "refused", decided_at: ago(1) });
    counter = await add(60, { kind: "counter_notice", not_before: ago(-200), due_at: ago(-300) });
    // Of a form that this version doesn't know.
    await add(1, { kind: "carrier_pigeon" });
  });

  it("lists each once across pages, newest first", async () => {
    const first = await read();
    const second = await read(`?after=${encodeURIComponent(first.next ?? "")}`);
    const ids = [...first.notices, ...second.notices].map(({ id }) => id);
    expect([first.notices.length, second.next]).toEqual([25, undefined]);
    expect(ids.toSorted()).toEqual([...added, late, soon, refused, counter].toSorted());
    expect(ids[0]).toBe(added[0]);
  });

  it("shows which are late, excluding those decided or not yet due", async () => {
    const { notices } = await read("?overdue=yes");
    expect(notices.map(({ id }) => id)).toEqual([late]);
    expect(notices[0]?.number).toBe(caseNumber("takedown", late));
  });

  it("shows which have at most a day left", async () => {
    const { notices } = await read("?overdue=soon");
    expect(notices.map(({ id }) => id).toSorted()).toEqual([soon, late].toSorted());
  });

  it("is filtered by kind and by status", async () => {
    const of = async (query: string) => (await read(query)).notices.map(({ id }) => id);
    expect(await of("?kind=counter_notice")).toEqual([counter]);
    expect(await of("?status=refused")).toEqual([refused]);
    expect(await of("?status=refused&kind=counter_notice")).toEqual([]);
  });
});

describe("a notice's page", () => {
  it("shows what it is about, what was decided and by whom, and nothing of what was sent", async () => {
    const [report_id, counter] = [randomUUID(), randomUUID()];
    const id = await add(2, {
      status: "countered",
      targets: JSON.stringify([{ report_id }]),
      related_id: counter,
    });
    const sender = { name: "Canary-name", email: "canary@owner.example", answers: [] };
    const staff = { role: "admin", command: "GrantNotice" } as const;
    await service.append(`notice-${id}`, [
      {
        event: { type: "NoticeReceived", data: { kind: "takedown", sender } },
        role: "visitor",
        command: "SendInquiry",
      },
      { event: { type: "NoticeLinked", data: { report_id } }, ...staff },
      {
        event: {
          type: "NoticeGranted",
          data: { outcome: "taken_down", decision: { reason: "It quotes a book" } },
        },
        ...staff,
      },
      { event: { type: "NoticeCountered", data: { counter_notice_id: counter } }, ...staff },
    ]);
    const answer = await service.get(`${URL}/${id}`, { as: "admin" });
    expect(answer.statusCode, answer.body).toBe(200);
    const by = expect.stringContaining("Ruiz");
    const notice = { id: counter, number: caseNumber("counter_notice", counter) };
    const target = { report_id, report_number: reportNumber(report_id) };
    expect(answer.json().data).toMatchObject({
      targets: [target],
      related: notice,
      steps: [
        { revision: 3, type: "countered", notice, by },
        { revision: 2, type: "taken_down", text: "It quotes a book", by },
        { revision: 1, type: "linked", target, by },
        { revision: 0, type: "received" },
      ],
    });
    expect(answer.body).not.toMatch(/canary/i);
    expect((await service.get(`${URL}/${randomUUID()}`, { as: "admin" })).statusCode).toBe(404);
  });
});
