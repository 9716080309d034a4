import { expect, it } from "vitest";
import {
  exportHeader,
  LIST_EXPORT_COUNT,
  LIST_EXPORT_ROWS,
  LIST_EXPORTS,
  X_EXPORT,
  X_EXPORT_TICKET,
} from "#contracts/http/list-exports.ts";
import { REPORT_STATUSES, type ReportStatus } from "#contracts/report/words.ts";
import { forFile } from "#test-kit/for-file.ts";
import { startSystem } from "./support/in-process.ts";
import { badCheck, chargeback, submit } from "./support/reports.ts";

const system = forFile(() => startSystem());

const STATUSES = Object.keys(REPORT_STATUSES) as ReportStatus[];
const items = [{ amount: 150.25, chargeback_fee: 20, other_fees: 0.75 }, { amount: 14 }];
/** Totals 269.75 of its own, and 185.00 in additional chargebacks. */
const larger = {
  ...chargeback,
  amount: 229.75,
  chargeback_fee: 25,
  other_fees: 15,
  chargebacks: items,
};
const TOTAL = 454.75;

const data = async (url: string, as?: "admin") => {
  const reply = await system.read(url, as);
  expect([url, reply.statusCode]).toEqual([url, 200]);
  return reply.json().data;
};

/** Returns the export of the moderators' list. */
async function csv(): Promise<string> {
  const { token } = await system.signIn("admin");
  const get = (url: string, name: string, value: string) =>
    system.queryApi.app.inject({
      url,
      headers: { authorization: `Bearer ${token}`, [name]: value },
    });
  const ask = exportHeader({ list: "reports", filter: {} });
  const { statement } = (await get(LIST_EXPORT_COUNT, X_EXPORT, ask)).json().data;
  const body = { statement, format: "csv" };
  const { ticket } = (await system.call("POST", LIST_EXPORTS, { as: "admin", body })).json().data;
  return (await get(LIST_EXPORT_ROWS, X_EXPORT_TICKET, ticket)).body;
}

it("shows the same total, with additional chargebacks, in list, page, export and dashboard", async () => {
  const wanted = new Map<string, number>();
  for (const status of STATUSES)
    for (const currency of ["USD", "EUR"]) {
      const last_name = `Of${status.replace("_", "")}${currency.toLowerCase()}`;
      const id = await submit(system, { ...larger, last_name, currency });
      wanted.set(id, TOTAL);
      const body = { status, reason: "No evidence" };
      if (status !== "pending")
        expect(
          (await system.call("PUT", `/prod/api/admin/reports/${id}`, { as: "admin", body }))
            .statusCode,
        ).toBe(200);
    }
  wanted.set(await submit(system, { ...badCheck, other_fees: 35 }), 115);

  const { reports } = await data("/prod/api/admin/reports?limit=200", "admin");
  const totals = (rows: readonly { id: string; total_due: number }[]) =>
    new Map(rows.map(({ id, total_due }) => [id, total_due]));
  expect(totals(reports)).toEqual(wanted);
  for (const [id, total] of wanted) {
    const page = await system.read(`/prod/admin/reports/${id}`, "admin");
    expect(page.json()).toMatchObject({ id, total_due: total });
  }
  for (const { seo_title } of await data("/prod/api/reports/recent"))
    expect(await data(`/prod/api/reports/${seo_title}`)).toMatchObject({ total_due: TOTAL });

  const lines = (await csv()).split("\r\n");
  for (const [id, total] of wanted)
    expect(lines.find((line) => line.includes(id))).toContain(`,${total},`);

  const dashboard = await data("/prod/api/admin/dashboard", "admin");
  expect(dashboard.reports.statuses).toMatchObject(
    STATUSES.map((status) => ({
      status,
      totals: [
        { currency: "EUR", amount: TOTAL },
        { currency: "USD", amount: status === "pending" ? TOTAL + 115 : TOTAL },
      ],
    })),
  );
  const figures = await data("/prod/api/figures");
  expect(figures.totals).toEqual([
    { currency: "EUR", amount: TOTAL },
    { currency: "USD", amount: TOTAL },
  ]);
});
