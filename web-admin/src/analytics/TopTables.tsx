import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import type { Analytics } from "#contracts/http/analytics.ts";
import { FigureTable, type FigureTableProps } from "../shared/figures/FigureTable.tsx";
import { formatTotals } from "../shared/figures/figure-words.ts";
import { Part } from "../shared/figures/Part.tsx";
import { formatCount } from "../shared/formats.ts";

interface TopTableProps extends Omit<FigureTableProps, "label" | "rows"> {
  readonly title: string;
  /** Null when it could not be read, undefined while it loads. */
  readonly rows: FigureTableProps["rows"] | null | undefined;
  readonly note: string;
  readonly onRetry: () => void;
}

function TopTable({ title, rows, note, columns, onRetry }: TopTableProps) {
  return (
    <Part title={title} data={rows} onRetry={onRetry}>
      {(found) => (
        <>
          <Typography color="textSecondary" sx={{ mb: 1 }}>
            {note}
          </Typography>
          {found.length === 0 && <Typography>No one in this period.</Typography>}
          {found.length > 0 && <FigureTable label={title} columns={columns} rows={found} />}
        </>
      )}
    </Part>
  );
}

interface Props {
  readonly onRetry: () => void;
}

/** Who sent the most reports of the period. */
export function TopReporters({
  reporters,
  onRetry,
}: Props & { readonly reporters: Analytics["top_reporters"] | undefined }) {
  return (
    <TopTable
      title="Top Reporters"
      note="Confirmed or approved reports, grouped by account or email address."
      columns={["Reporter", "Reports", "Approved", "Owed"]}
      rows={reporters?.map(({ name, account_id, reports, approved, totals }, i) => ({
        key: account_id ?? `${name} ${i}`,
        cells: [
          name ?? "No longer known",
          formatCount(reports),
          formatCount(approved),
          formatTotals(totals),
        ],
      }))}
      onRetry={onRetry}
    />
  );
}

/** Who was reported most in the period, of those with several approved reports. */
export function TopOffenders({
  offenders,
  onRetry,
}: Props & { readonly offenders: Analytics["top_offenders"] | undefined }) {
  return (
    <TopTable
      title="Top Offenders"
      note="People with two or more approved reports. Reported, not independently verified."
      columns={["Name", "Reports", "All time", "Owed"]}
      rows={offenders?.map(
        ({ first_name, last_name, seo_title, reports, all_reports, totals }) => ({
          key: seo_title,
          cells: [
            <Link key="name" href={`/report/${encodeURIComponent(seo_title)}`}>
              {first_name} {last_name}
            </Link>,
            formatCount(reports),
            formatCount(all_reports),
            formatTotals(totals),
          ],
        }),
      )}
      onRetry={onRetry}
    />
  );
}
