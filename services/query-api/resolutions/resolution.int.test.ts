import { beforeAll, describe, expect, it } from "vitest";
import type { Resolution } from "#contracts/events/report/resolution.ts";
import { OPEN_RESOLUTIONS } from "#contracts/http/resolution.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { forFile } from "#test-kit/for-file.ts";
import { at, startQueryApi } from "../testing/query-api.fixture.ts";
import { searchDocument } from "../testing/search-document.ts";

const REQUEST = "11111111-1111-4111-8111-111111111111";
const PAYMENT = "22222222-2222-4222-8222-222222222222";
const resolution: Resolution = {
  request_id: REQUEST,
  file_id: "33333333-3333-4333-8333-333333333333",
  stage: "resolved",
  amount_cents: 25_000,
  currency: "USD",
  refusal: null,
  payments: [
    {
      payment_id: PAYMENT,
      method: "bank_transfer",
      amount_cents: 25_000,
      currency: "USD",
      reference: "Transfer 118",
      refunded: false,
    },
  ],
  requests: 1,
};

const service = forFile(() => startQueryApi());
let settled: string;
let open: string;
beforeAll(async () => {
  await service.moveTo(5);
  const paid = {
    resolved: true,
    resolution: JSON.stringify(resolution),
    resolution_at: "2026-11-23T10:00:00.000Z",
  };
  settled = await service.addReport({
    status: "approved",
    slug: "nia-new",
    created_at: "2026-11-20T12:00:00.000Z",
    ...paid,
  });
  open = await service.addReport({ status: "approved", slug: "otto-old" });
});

describe("the RESOLVED banner of a report", () => {
  it("is shown in lists and on its page, without the rest of the request", async () => {
    const list = await service.get("/prod/api/reports/recent");
    const told = list.json().data.map(({ id, resolved }: never) => [id, resolved]);
    expect(told).toEqual([
      [settled, true],
      [open, false],
    ]);
    const page = await service.get("/prod/api/reports/nia-new");
    expect(page.json().data).toMatchObject({ id: settled, resolved: true });
    for (const { body } of [list, page])
      for (const secret of [REQUEST, PAYMENT, "Transfer 118", resolution.file_id ?? "", "bank_tr"])
        expect(body).not.toContain(secret);
  });

  it("is shown in search hits", async () => {
    for (const [index, id] of [settled, open].entries())
      await service.index.apply(
        [{ op: "upsert", position: at(11 + index), document: searchDocument(id) }],
        at(11 + index),
      );
    const { data } = (await service.get("/prod/api/reports/search?q=ames")).json();
    const told = new Map(data.reports.map(({ id, resolved }: never) => [id, resolved]));
    expect([told.get(settled), told.get(open)]).toEqual([true, false]);
  });

  it("is shown for a habitual offender's latest report", async () => {
    await service.addPerson([open, settled], { latest_report_id: settled });
    const { data } = (await service.get("/prod/api/habitual-offenders")).json();
    expect(data[0].latest_report).toMatchObject({ seo_title: "nia-new", resolved: true });
  });
});

describe("a request for the banner", () => {
  it("is shown to moderators with its payments, and absent if there is none", async () => {
    const { resolution: told } = (
      await service.get(`/prod/api/admin/reports/${settled}`, { as: "admin" })
    ).json().data;
    expect(told).toEqual({
      request_id: REQUEST,
      file_id: resolution.file_id,
      stage: "resolved",
      fee: { currency: "USD", amount: 250 },
      changed_at: "2026-11-23T10:00:00.000Z",
      payments: [
        {
          payment_id: PAYMENT,
          method: "bank_transfer",
          paid: { currency: "USD", amount: 250 },
          reference: "Transfer 118",
          refunded: false,
        },
      ],
    });
    const other = await service.get(`/prod/api/admin/reports/${open}`, { as: "admin" });
    expect(other.json().data).not.toHaveProperty("resolution");
    const list = await service.get("/prod/api/admin/reports", { as: "admin" });
    expect(list.body).not.toContain("Transfer 118");
  });
});

describe("GET /prod/api/admin/resolutions", () => {
  const list = () => service.get("/prod/api/admin/resolutions", { as: "admin" });
  const asked = (stage: Resolution["stage"], day: number, columns: object = {}) =>
    service.addReport({
      status: "approved",
      resolution: JSON.stringify({ ...resolution, stage, payments: [] }),
      resolution_at: `2026-11-${day}T10:00:00.000Z`,
      ...columns,
    });

  it("lists those awaiting staff first, then those awaiting the fee, oldest first", async () => {
    const paying = await asked("letter_accepted", 10);
    const newer = await asked("requested", 20);
    const older = await asked("requested", 12, { status: "under_review" });
    for (const over of ["letter_refused", "withdrawn", "resolved", "refunded"] as const)
      await asked(over, 11);
    const reply = await list();
    expect(reply.headers["cache-control"]).toBe("no-store");
    const { resolutions, has_more } = reply.json().data;
    expect(resolutions.map(({ id }: never) => id)).toEqual([older, newer, paying]);
    expect(has_more).toBe(false);
    expect(resolutions[0]).toEqual({
      id: older,
      number: reportNumber(older),
      first_name: "Quinn",
      last_name: "Ames",
      is_public: false,
      stage: "requested",
      fee: { currency: "USD", amount: 250 },
      since: "2026-11-12T10:00:00.000Z",
    });
    expect(resolutions[2]).toMatchObject({ is_public: true, stage: "letter_accepted" });
    for (const secret of [REQUEST, resolution.file_id ?? ""])
      expect(reply.body).not.toContain(secret);
  });

  it("lists as many as fit, and says that there are more", async () => {
    await service.db.query(
      `insert into reports.report
       select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()))).*
       from reports.report r, generate_series(1, $1) n
       where r.resolution ->> 'stage' = 'letter_accepted'`,
      [OPEN_RESOLUTIONS],
    );
    const { resolutions, has_more } = (await list()).json().data;
    expect([resolutions.length, has_more]).toEqual([OPEN_RESOLUTIONS, true]);
    expect(resolutions[0].stage).toBe("requested");
  });
});
