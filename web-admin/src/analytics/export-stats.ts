import { type Cell, CSV_END, CSV_MARK, csvLine, totalCells, totalColumns } from "#contracts/csv.ts";
import type { Analytics } from "#contracts/http/analytics.ts";

const COLUMNS = [
  ...["kind", "from", "to", "name", "submitted", "approved", "rejected", "reports", "all_reports"],
  ...[...totalColumns("submitted"), ...totalColumns("approved"), ...totalColumns("totals")],
  ...["median_minutes", "p95_minutes"],
];

/**
 * Returns the figures as one CSV table: a row per point in the period, then one per reporter and offender. Cells that
 * don't apply are empty, and parts that could not be read are left out.
 */
export function csvOf({ figures, top_reporters, top_offenders }: Analytics): string {
  const points = (figures?.points ?? []).map(
    ({ submitted_totals, approved_totals, ...span }): Row => ({
      kind: "period",
      ...span,
      ...totalCells("submitted", submitted_totals),
      ...totalCells("approved", approved_totals),
    }),
  );
  const reporters = (top_reporters ?? []).map(
    ({ name, reports, approved, totals }): Row => ({
      kind: "reporter",
      ...{ name, reports, approved, ...totalCells("totals", totals) },
    }),
  );
  const offenders = (top_offenders ?? []).map(
    ({ first_name, last_name, reports, all_reports, totals }): Row => ({
      kind: "offender",
      ...{ name: `${first_name} ${last_name}`, reports, all_reports },
      ...totalCells("totals", totals),
    }),
  );
  const rows = [...points, ...reporters, ...offenders];
  const lines = [COLUMNS, ...rows.map((row) => COLUMNS.map((column) => row[column] ?? null))];
  return CSV_MARK + lines.map((cells) => csvLine(cells) + CSV_END).join("");
}

type Row = Readonly<Record<string, Cell>>;

/** Returns the server's response, pretty-printed. */
export function jsonOf(analytics: Analytics): string {
  return `${JSON.stringify(analytics, null, 2)}\n`;
}

/** "analytics-30days-2026-11-23.csv" */
export function exportName({ period, figures }: Analytics, format: "csv" | "json"): string {
  const day = figures?.total.to ?? new Date().toISOString().slice(0, 10);
  return `analytics-${period}-${day}.${format}`;
}
