import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { ListedMail, Mails } from "#contracts/http/admin-mails.ts";
import { ownAddress } from "#search/identity.ts";
import { forFile } from "#test-kit/for-file.ts";
import { createBlindIndexer } from "#vault/sealing/hashes.ts";
import { insertRow } from "../testing/insert-row.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";

const URL = "/prod/api/admin/mails";

const service = forFile(() => startQueryApi());
let account = "";
let report = "";
beforeAll(async () => {
  await service.moveTo(5);
  account = await service.addUser({ email: "u***@***" });
  report = await service.addReport({ reporter_email_mask: "r***@***" });
});

async function read(query = ""): Promise<Mails> {
  const answer = await service.get(URL + query, { as: "admin" });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data;
}
const find = async (id: string): Promise<ListedMail | undefined> =>
  (await read()).mails.find((mail) => mail.id === id);

/** Adds a row to the outbox. @returns its ID. */
async function add(columns: Record<string, unknown> = {}): Promise<string> {
  const row: Record<string, unknown> = {
    id: `mail-${randomUUID()}`,
    kind: "account_confirmation",
    event_id: randomUUID(),
    revision: 0,
    position: "1",
    epoch: "e",
    recipient: "canary-blind-index",
    ...("report_id" in columns ? {} : { account_id: account }),
    ...columns,
  };
  await insertRow(service.db, "outbox.mail", row);
  return String(row.id);
}
const NOW = "2026-11-23T12:00:00.000Z";

describe("the list of emails", () => {
  it("shows each recipient (masked), state and number of attempts", async () => {
    const failed = await add({
      state: "dropped",
      dropped_reason: "undeliverable",
      dropped_at: NOW,
      attempts: 14,
      last_error: "EENVELOPE",
    });
    const waiting = await add({ kind: "approved", report_id: report, attempts: 1 });
    const sent = await add({ state: "sent", sent_at: NOW, attempts: 1, template: "shipped" });
    const unwanted = await add({ state: "dropped", dropped_reason: "unwanted" });
    expect(await find(failed)).toMatchObject({
      state: "failed",
      recipient: "u***@***",
      owner: { type: "account", id: account },
      attempts: 14,
      error: "EENVELOPE",
      ended_at: NOW,
    });
    expect(await find(waiting)).toMatchObject({
      state: "waiting",
      recipient: "r***@***",
      owner: { type: "report", id: report },
    });
    expect(await find(sent)).toMatchObject({
      state: "sent",
      ended_at: NOW,
      template: "shipped",
    });
    expect(await find(waiting)).not.toHaveProperty("template");
    expect(await find(unwanted)).toMatchObject({ state: "dropped", reason: "unwanted" });
    for (const [state, id] of Object.entries({ failed, waiting, sent, dropped: unwanted }))
      expect((await read(`?state=${state}`)).mails.map((mail) => mail.id)).toEqual([id]);
    expect((await read("?kind=approved")).mails.map(({ id }) => id)).toEqual([waiting]);
    expect(JSON.stringify(await read())).not.toContain("canary");
  });

  it("names an inbox, and never the address of the person an email to it is about", async () => {
    const inquiry_id = randomUUID();
    await service.db.query(
      `insert into inquiries.inquiry values ($1, 'enterprise', 'new', 0, 'x***@***', false, 0, 0, now(), now(), null)`,
      [inquiry_id],
    );
    const columns = { account_id: null, inquiry_id };
    const inbox = await add({ ...columns, kind: "inquiry_for_inbox", inbox: "sales" });
    const own = await add({ ...columns, kind: "inquiry_received" });
    expect((await find(inbox))?.recipient).toBe("Inbox: sales");
    expect((await find(own))?.recipient).toBe("x***@***");
  });

  it("shows the sender of a notice, masked, with the notice as its owner", async () => {
    const notice = randomUUID();
    await service.db.query(
      `insert into inquiries.notice (id, kind, status, revision, email, erased, notes, received_at, due_at, targets)
       values ($1, 'takedown', 'new', 0, 'n***@***', false, 0, now(), now(), '[]')`,
      [notice],
    );
    const kept = await add({ account_id: null, inquiry_id: notice, kind: "notice_received" });
    const erased = await add({
      account_id: null,
      inquiry_id: randomUUID(),
      kind: "notice_received",
    });
    expect(await find(kept)).toMatchObject({
      recipient: "n***@***",
      owner: { type: "notice", id: notice },
    });
    expect(await find(erased)).not.toHaveProperty("recipient");
  });

  it("reads on from the last row, even among emails created at the same moment", async () => {
    const other = await service.addUser({});
    const ids: string[] = [];
    // Within one millisecond: cursors have less precision, which must not skip any.
    for (let n = 0; n < 30; n += 1)
      ids.push(await add({ account_id: other, created_at: `2026-11-20T00:00:00.0001${n + 10}Z` }));
    const first = await read(`?account=${other}`);
    const next = encodeURIComponent(first.next ?? "");
    const second = await read(`?account=${other}&after=${next}`);
    expect([first.mails.length, second.mails.length, second.next]).toEqual([25, 5, undefined]);
    const found = [...first.mails, ...second.mails].map(({ id }) => id);
    expect(found.toSorted()).toEqual(ids.toSorted());
  });

  it("finds emails by a full address, and nothing by a part of it", async () => {
    const blind = createBlindIndexer(await service.keys.serviceKey("blind-index"));
    const index = blind("reporter_email", ownAddress("Canary-Kim@example.net"));
    const kim = await service.addUser({ email_blind: index, email: "k***@***" });
    const sent = await service.addReport({ reporter_blind: index });
    const ids = [await add({ account_id: kim }), await add({ kind: "approved", report_id: sent })];
    await add();
    const found = async (query: string) => (await read(query)).mails.map(({ id }) => id).toSorted();
    expect(await found("?address=canary-kim%40EXAMPLE.net")).toEqual(ids.toSorted());
    expect(await found("?address=canary-kim%40example.net&kind=approved")).toEqual([ids[1]]);
    expect(await found(`?address=canary-kim%40example.net&account=${account}`)).toEqual([]);
    expect(await found("?address=kim%40example.net")).toEqual([]);
  });

  it("rejects an invalid account or address", async () => {
    for (const query of ["?account=x", "?address=kim"])
      expect((await service.get(URL + query, { as: "admin" })).statusCode).toBe(400);
  });
});
