import { given } from "#contracts/given.ts";
import type { AdminReport, ReportSummary, ShownChargeback } from "#contracts/http/report-view.ts";
import { fromCents } from "#contracts/report/money.ts";
import type { TotalRow } from "#read-model/tables/offender.ts";
import type { ShownChargebackRow } from "#read-model/tables/report.ts";
import type { ModeratorReportRow, PublicReportRow } from "./report-rows.queries.ts";

/** A row of either table: the public columns are the same. */
type AnyReportRow = PublicReportRow | ModeratorReportRow;

const decimal = (cents: number | null | undefined) =>
  cents === null || cents === undefined ? null : fromCents(cents);

/** Sums by currency, as decimals. */
export function presentTotals(totals: readonly TotalRow[]) {
  return totals.map(({ currency, amount_cents }) => ({
    currency,
    amount: fromCents(amount_cents),
  }));
}

/** @param status of a row of the public table it is `approved`. */
function summary(
  row: AnyReportRow,
  status: ReportSummary["status"],
): Omit<ReportSummary, "seo_title"> {
  return {
    id: row.id,
    report_type: row.report_type,
    first_name: row.first_name,
    last_name: row.last_name,
    title: row.title,
    description: row.description,
    city: row.city,
    state: row.state,
    country: row.country,
    currency: row.currency,
    amount: fromCents(row.amount_cents),
    total_due: fromCents(row.total_due_cents),
    resolution_status: row.resolution_status,
    status,
    verified: row.verified,
    created_at: row.created_at.toISOString(),
    timestamp: Math.floor(row.created_at.getTime() / 1000),
    view_count: row.views ?? 0,
    rebuttal_count: 0,
    report_count: row.person_report_count ?? 1,
    is_habitual_offender: row.person_id !== null,
    ...given({
      email: row.email_mask,
      phone: row.phone_mask,
      transaction_date: row.transaction_date,
      check_date: row.check_date,
      chargeback_reason: row.chargeback_reason,
      check_reason: row.check_reason,
      shipping_status: row.shipping_status,
      public_username: row.public_username,
      offender_totals: row.person_totals && presentTotals(row.person_totals),
    }),
  };
}

/** A report in a public list. */
export function presentSummary(row: PublicReportRow): ReportSummary {
  return { ...summary(row, "approved"), seo_title: row.slug };
}

/** What a page of a report has beside what a list shows. */
export function presentDetailFields(row: AnyReportRow) {
  return {
    chargebacks: row.chargebacks.map(presentChargeback),
    updated_at: row.updated_at.toISOString(),
    ...given({
      tracking_number: row.tracking_number,
      first_6: row.first_6,
      last_4: row.last_4,
      chargeback_date: row.chargeback_date,
      chargeback_fee: decimal(row.chargeback_fee_cents),
      other_fees: decimal(row.other_fees_cents),
      check_amount: decimal(row.check_amount_cents),
      bank_name: row.bank_name,
      bank_account: row.bank_account_mask,
      approved_at: row.approved_at?.toISOString(),
    }),
  };
}

function presentChargeback(item: ShownChargebackRow): ShownChargeback {
  return {
    amount: fromCents(item.amount_cents),
    total_due: fromCents(item.total_due_cents),
    ...given({
      date: item.date,
      reason: item.reason,
      first_6: item.first_6,
      last_4: item.last_4,
      chargeback_fee: decimal(item.chargeback_fee_cents),
      other_fees: decimal(item.other_fees_cents),
      resolution_status: item.resolution_status,
    }),
  };
}

/** A report in a moderators' list. */
export function presentAdminReport(row: ModeratorReportRow): AdminReport {
  return {
    ...summary(row, row.status),
    ...presentDetailFields(row),
    seo_title: row.approved_at ? row.slug : null,
    origin: row.origin,
    revision: row.revision,
    ...given({ reporter_email: row.reporter_email_mask }),
  };
}
