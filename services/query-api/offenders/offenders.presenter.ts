import type { HabitualOffender } from "#contracts/http/reports.ts";
import { fromCents } from "#contracts/report/money.ts";
import { presentTotals } from "../reports/report-rows.presenter.ts";
import type { OffenderRow } from "./offenders.queries.ts";

export function presentOffender(row: OffenderRow): HabitualOffender {
  return {
    first_name: row.first_name,
    last_name: row.last_name,
    report_count: row.report_count,
    total_amount: fromCents(row.usd_total_cents),
    totals: presentTotals(row.totals),
    shares: [...row.shares],
    latest_report: {
      title: row.title,
      description: row.description,
      city: row.city,
      state: row.state,
      country: row.country,
      seo_title: row.slug,
      created_at: row.created_at.toISOString(),
      resolution_status: row.resolution_status,
      resolved: row.resolved,
    },
  };
}
