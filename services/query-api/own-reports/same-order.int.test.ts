import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { at, type Caller, startQueryApi } from "../testing/query-api.fixture.ts";
import { costOf } from "../testing/rows-read.ts";
import { findSameOrder } from "./own-reports.queries.ts";

const service = forFile(() => startQueryApi());
let own = "";
let others = "";
beforeAll(async () => {
  [own, others] = [service.accounts.user, service.accounts.admin];
});
beforeEach(async () => {
  await service.db.query("truncate reports.report");
});

async function found(order: string, merchant?: string, as: Caller = "user") {
  const query = new URLSearchParams({ order, ...(merchant ? { merchant } : {}) });
  const reply = await service.get(`/prod/api/account/reports/same-order?${query}`, { as });
  expect([reply.statusCode, reply.headers["cache-control"]]).toEqual([200, "no-store"]);
  return reply.json().data.report;
}
const sent = (columns: Record<string, unknown> = {}) =>
  service.addReport({
    owner_id: own,
    owned_since: at(1),
    tracking_number: "WB-1042",
    public_username: "Alpine Watches",
    ...columns,
  });

describe("GET /prod/api/account/reports/same-order", () => {
  it("returns the account's newest report about the order, whatever its status", async () => {
    await sent({ created_at: "2026-05-02T08:00:00.000Z", status: "rejected" });
    const newer = await sent({ created_at: "2026-06-02T08:00:00.000Z", owned_since: at(2) });
    expect(await found("WB-1042")).toEqual({
      id: newer,
      status: "pending",
      created_at: "2026-06-02T08:00:00.000Z",
    });
    expect((await found("wb-1042", "alpine watches")).id).toBe(newer);
    expect(await found("WB-104")).toBeNull();
  });

  it("ignores other people's reports, and those from before everything was dropped", async () => {
    await sent({ owner_id: others });
    await sent({ owner_id: null, owned_since: null });
    expect(await found("WB-1042")).toBeNull();
    expect(await found("WB-1042", undefined, "admin")).not.toBeNull();
    const theirs = await sent();
    expect((await found("WB-1042")).id).toBe(theirs);
    await service.db.query("update accounts.account set owns_after = $2 where id = $1", [
      own,
      at(1),
    ]);
    expect(await found("WB-1042")).toBeNull();
    await service.db.query("update accounts.account set owns_after = '0' where id = $1", [own]);
  });

  it("keeps orders of two merchants apart if both are named", async () => {
    const first = await sent();
    expect(await found("WB-1042", "Lakeside Books")).toBeNull();
    expect((await found("WB-1042")).id).toBe(first);
    const nameless = await sent({ public_username: null, owned_since: at(2) });
    expect((await found("WB-1042", "Lakeside Books")).id).toBe(nameless);
  });

  it("requires an account and an order", async () => {
    const url = "/prod/api/account/reports/same-order";
    expect((await service.get(`${url}?order=1`)).statusCode).toBe(401);
    expect((await service.get(url, { as: "user" })).statusCode).toBe(400);
    expect((await service.get(`${url}?order=${"1".repeat(101)}`, { as: "user" })).statusCode).toBe(
      400,
    );
  });

  it("reads a few rows, however many reports the account has", async () => {
    await sent();
    await service.db.query(
      `insert into reports.report
       select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(),
         'tracking_number', 'WB-' || n))).*
       from reports.report r, generate_series(2000, 8000) n`,
    );
    await service.db.query("vacuum analyze reports.report");
    const [cost] = await costOf(service.db, (db) =>
      findSameOrder(db, own, { order: "wb-1042", merchant: null }),
    );
    expect(cost?.rows).toBeLessThan(10);
  });
});
