import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CLAIMABLE_REPORTS } from "#contracts/account/own-figures.ts";
import { forFile } from "#test-kit/for-file.ts";
import { createBlindIndexer } from "#vault/sealing/hashes.ts";
import { at, type Caller, startQueryApi } from "../testing/query-api.fixture.ts";
import { costOf } from "../testing/rows-read.ts";
import { findClaimable } from "./own-reports.queries.ts";

const service = forFile(() => startQueryApi());
let index = "";
beforeAll(async () => {
  const blind = createBlindIndexer(await service.keys.serviceKey("blind-index"));
  index = blind("reporter_email", "user@registry.example");
});
beforeEach(async () => {
  await service.db.query("truncate reports.report");
  await service.db.query("update accounts.account set confirmed = true, status = 'active'");
});

async function offered(as: Caller = "user") {
  const reply = await service.get("/prod/api/account/reports/claimable", { as });
  expect([reply.statusCode, reply.headers["cache-control"]]).toEqual([200, "no-store"]);
  expect(reply.body).not.toContain(index);
  return reply.json().data;
}
const sent = (columns: Record<string, unknown> = {}) =>
  service.addReport({ reporter_blind: index, address_confirmed: true, ...columns });

describe("GET /prod/api/account/reports/claimable", () => {
  it("offers reports that visitors sent from the account's address, newest first", async () => {
    const older = await sent({ created_at: "2026-11-19T08:00:00.000Z", status: "rejected" });
    const newer = await sent({ created_at: "2026-11-20T08:00:00.000Z" });
    const shown = { title: "Disputed a delivered order", first_name: "Quinn", last_name: "Ames" };
    expect(await offered()).toEqual({
      reports: [
        { id: newer, ...shown, status: "pending", created_at: "2026-11-20T08:00:00.000Z" },
        { id: older, ...shown, status: "rejected", created_at: "2026-11-19T08:00:00.000Z" },
      ],
      has_more: false,
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ["of another address", { reporter_blind: "another" }],
    ["without an address", { reporter_blind: null }],
    ["whose address nobody confirmed", { address_confirmed: false }],
    ["of the sample data", { origin: "sample" }],
    ["that belongs to an account", { owner_id: "7f3d1c52-0000-4000-8000-000000000007" }],
  ])("offers no report %s", async (_which, columns) => {
    await sent({ ...columns, ...("owner_id" in columns ? { owned_since: at(1) } : {}) });
    expect(await offered()).toEqual({ reports: [], has_more: false });
  });

  it("offers nothing to another account, or before the address is confirmed", async () => {
    await sent();
    expect((await offered()).reports).toHaveLength(1);
    const none = { reports: [], has_more: false };
    expect(await offered("admin")).toEqual(none);
    await service.db.query("update accounts.account set confirmed = false");
    expect(await offered()).toEqual(none);
    await service.db.query("update accounts.account set confirmed = true, status = 'closed'");
    expect(await offered()).toEqual(none);
  });

  it("reads no more rows than it offers, however many reports there are", async () => {
    await sent();
    await service.db.query(
      `insert into reports.report
       select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(),
         'reporter_blind', case when n % 2 = 0 then $1 else 'another' end))).*
       from reports.report r, generate_series(2, 6001) n`,
      [index],
    );
    await service.db.query("vacuum analyze reports.report");
    const [cost] = await costOf(service.db, (db) =>
      findClaimable(db, index, CLAIMABLE_REPORTS + 1),
    );
    expect(cost?.rows).toBeGreaterThan(50);
    expect(cost?.rows).toBeLessThan(110);
    const { reports, has_more } = await offered();
    expect([reports.length, has_more]).toEqual([CLAIMABLE_REPORTS, true]);
  });
});
