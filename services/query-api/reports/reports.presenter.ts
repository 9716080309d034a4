import type {
  AdminReport,
  ReportDetail,
  ReportSummary,
  ShownChargeback,
} from "#contracts/http/report-view.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { ViewPart } from "#contracts/report/catalogue.ts";
import {
  CHARGEBACK_COLUMNS,
  type FieldColumn,
  REPORT_COLUMNS,
} from "#contracts/report/derive/columns.ts";
import { isMoney } from "#contracts/report/derive/fields.ts";
import { type ViewOf, viewFields } from "#contracts/report/derive/view.ts";
import { fromCents } from "#contracts/report/money.ts";
import type { TotalRow } from "#read-model/tables/offender.ts";
import { presentEvidence } from "../evidence/evidence.queries.ts";
import type { ModeratorReportRow, OtherReportRow, PublicReportRow } from "./reports.queries.ts";

export function presentDetail(
  row: PublicReportRow,
  others: readonly OtherReportRow[],
): ReportDetail {
  return {
    ...presentSummary(row),
    ...presentDetailFields(row),
    ...presentEvidence(row),
    ...omitUndefined({ offender_shares: row.person_shares }),
    other_reports: others.map(({ slug, title, created_at }) => ({
      seo_title: slug,
      title,
      created_at: created_at.toISOString(),
    })),
  };
}

/** A row of either table. Their public columns are the same. */
type AnyReportRow = PublicReportRow | ModeratorReportRow;

/** Converts sums by currency to decimals. */
export function presentTotals(totals: readonly TotalRow[]) {
  return totals.map(({ currency, amount_cents }) => ({
    currency,
    amount: fromCents(amount_cents),
  }));
}

/** Returns a function that reads these columns of a row, converting amounts to decimals and omitting nulls. */
function presenterOf<Shown>(columns: readonly FieldColumn[]): (row: object) => Shown {
  const reads = columns.map(({ field, column }) => ({ field, column, inCents: isMoney(field) }));
  return (row) => {
    const values = row as Readonly<Record<string, unknown>>;
    const shown: Record<string, unknown> = {};
    for (const { field, column, inCents } of reads) {
      const value = values[column] ?? null;
      if (value !== null) shown[field] = inCents ? fromCents(value as number) : value;
    }
    return shown as Shown;
  };
}

function presenterOfPart<P extends ViewPart>(part: P) {
  const fields: readonly string[] = viewFields(part);
  return presenterOf<ViewOf<P>>(REPORT_COLUMNS.filter(({ field }) => fields.includes(field)));
}

const list = presenterOfPart("list");
const page = presenterOfPart("page");
const reporter = presenterOfPart("reporter");
const staff = presenterOfPart("staff");
const presentChargeback = presenterOf<ShownChargeback>(CHARGEBACK_COLUMNS);

/** @param status `approved` for every row of the public table, which has no such column. */
function summary(
  row: AnyReportRow,
  status: ReportSummary["status"],
): Omit<ReportSummary, "seo_title"> {
  return {
    id: row.id,
    report_type: row.report_type,
    ...list(row),
    status,
    verified: row.verified,
    resolved: row.resolved,
    ...reporter(row),
    created_at: row.created_at.toISOString(),
    timestamp: Math.floor(row.created_at.getTime() / 1000),
    view_count: row.views ?? 0,
    rebuttal_count: 0,
    report_count: row.person_report_count ?? 1,
    is_habitual_offender: row.person_id !== null,
    ...omitUndefined({ offender_totals: row.person_totals && presentTotals(row.person_totals) }),
  };
}

/** Presents a report in a public list. */
export function presentSummary(row: PublicReportRow): ReportSummary {
  return { ...summary(row, "approved"), seo_title: row.slug };
}

/** The fields of a report's page that lists omit. */
function presentDetailFields(row: AnyReportRow) {
  return {
    ...page(row),
    chargebacks: row.chargebacks.map(presentChargeback),
    ...omitUndefined({ approved_at: row.approved_at?.toISOString() }),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Presents a report in a moderators' list. */
export function presentAdminReport(row: ModeratorReportRow): AdminReport {
  const { asked_until, answered_at } = row;
  // An expired question no longer awaits a reply.
  const isAsked = asked_until !== null && asked_until.getTime() > Date.now();
  return {
    ...summary(row, row.status),
    ...presentDetailFields(row),
    seo_title: row.approved_at ? row.slug : null,
    ...staff(row),
    origin: row.origin,
    ...omitUndefined({
      asked_until: isAsked ? asked_until.toISOString() : undefined,
      answered_at: answered_at?.toISOString(),
      held: row.holds.length > 0 ? (true as const) : undefined,
    }),
    revision: row.revision,
  };
}
