import { type Cell, csvLine } from "#contracts/csv.ts";
import type { Analytics, SpanFigures } from "#contracts/http/analytics.ts";
import { formatTotals } from "../shared/figures/figure-words.ts";

const SPAN_COLUMNS = [
  "from",
  "to",
  "submitted",
  "approved",
  "rejected",
  "submitted_totals",
  "approved_totals",
  "median_minutes",
  "p95_minutes",
];

function spanCells(span: SpanFigures): Cell[] {
  const { from, to, submitted, approved, rejected, median_minutes, p95_minutes } = span;
  const totals = [formatTotals(span.submitted_totals), formatTotals(span.approved_totals)];
  return [from, to, submitted, approved, rejected, ...totals, median_minutes, p95_minutes];
}

/**
 * The figures as CSV (RFC 4180, UTF-8): the points, the reporters and the offenders, each with a line
 * of column names and an empty line before it. Parts that could not be read are left out.
 */
export function csvOf({ figures, top_reporters, top_offenders }: Analytics): string {
  const parts: string[][] = [];
  if (figures) parts.push([csvLine(SPAN_COLUMNS), ...figures.points.map(spanCells).map(csvLine)]);
  if (top_reporters)
    parts.push([
      csvLine(["reporter", "reports", "approved", "totals"]),
      ...top_reporters.map(({ name, reports, approved, totals }) =>
        csvLine([name, reports, approved, formatTotals(totals)]),
      ),
    ]);
  if (top_offenders)
    parts.push([
      csvLine(["offender", "reports", "all_reports", "totals"]),
      ...top_offenders.map(({ first_name, last_name, reports, all_reports, totals }) =>
        csvLine([`${first_name} ${last_name}`, reports, all_reports, formatTotals(totals)]),
      ),
    ]);
  return `${parts.map((lines) => lines.join("\r\n")).join("\r\n\r\n")}\r\n`;
}

/** The answer of the server as it is. */
export function jsonOf(analytics: Analytics): string {
  return `${JSON.stringify(analytics, null, 2)}\n`;
}

/** "analytics-30days-2026-11-23.csv" */
export function exportName({ period, figures }: Analytics, format: "csv" | "json"): string {
  const day = figures?.total.to ?? new Date().toISOString().slice(0, 10);
  return `analytics-${period}-${day}.${format}`;
}
