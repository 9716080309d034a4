import { expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { insertRow } from "../testing/insert-row.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";

const service = forFile(() => startQueryApi());

/** The figures as read by a process that has none cached. */
async function figures() {
  const { app } = await service.startProcess();
  return (await app.inject("/prod/api/figures")).json().data;
}

const approved = { status: "approved", approved_at: "2026-11-20T09:00:00.000Z" };

/** A report about someone whom no other report is about. */
async function addSingle(columns: Record<string, unknown>, report = {}): Promise<string> {
  const id = await service.addReport({ ...approved, ...report });
  const row = {
    report_id: id,
    approved: true,
    identity: "{}",
    keys: [],
    report_type: "chargeback",
    currency: "USD",
    amount_cents: 0,
    chargeback_fee_cents: 0,
    other_fees_cents: 0,
    chargebacks_cents: 0,
    created_at: "2026-11-20T08:00:00.123Z",
    ...columns,
  };
  await insertRow(service.db, "offenders.member", row);
  return id;
}

it("returns zeros while there is nothing", async () => {
  expect(await figures()).toEqual({ reports: 0, people: 0, totals: [], newest_at: null });
});

it("counts approved reports and persons, and adds up each currency separately", async () => {
  await addSingle({ amount_cents: 10_000, chargeback_fee_cents: 1, chargebacks_cents: 20 });
  await addSingle(
    { currency: "EUR", amount_cents: 500, other_fees_cents: 5 },
    { created_at: "2026-11-22T08:00:00.000Z" },
  );
  await addSingle(
    { approved: false, amount_cents: 99_999 },
    { status: "pending", approved_at: null, created_at: "2026-11-23T08:00:00.000Z" },
  );
  const pair = [await service.addReport(approved), await service.addReport(approved)];
  await service.addPerson(pair);
  expect(await figures()).toEqual({
    reports: 4,
    people: 3,
    totals: [
      { currency: "EUR", amount: 5.05 },
      { currency: "USD", amount: 100.23 },
    ],
    newest_at: "2026-11-22T08:00:00.000Z",
  });
});

it("caches its reply for a minute", async () => {
  const before = (await service.get("/prod/api/figures")).json().data;
  await addSingle({ amount_cents: 1 });
  expect((await service.get("/prod/api/figures")).json().data).toEqual(before);
});
