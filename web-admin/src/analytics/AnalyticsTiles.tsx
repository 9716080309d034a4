import Box from "@mui/material/Box";
import type { Analytics } from "#contracts/http/analytics.ts";
import {
  comparedWith,
  daysOf,
  formatTotals,
  formatWait,
  type Total,
} from "../shared/figures/figure-words.ts";
import { Tile, Tiles } from "../shared/figures/Tile.tsx";
import { formatCount } from "../shared/formats.ts";

export interface AnalyticsTilesProps {
  /** Null when they could not be read, undefined while they load. */
  readonly figures: Analytics["figures"] | undefined;
  readonly onRetry: () => void;
}

/** A line for each currency. */
function Sums({ totals }: { readonly totals: readonly Total[] }) {
  if (totals.length === 0) return "None";
  return totals.map((total) => (
    <Box key={total.currency} component="span" sx={{ display: "block" }}>
      {formatTotals([total])}
    </Box>
  ));
}

/** The period in six figures, each beside that of the previous days. */
export function AnalyticsTiles({ figures, onRetry }: AnalyticsTilesProps) {
  const count = (name: "submitted" | "approved" | "rejected") =>
    figures && {
      value: formatCount(figures.total[name]),
      note: comparedWith(figures.total[name], figures.previous[name], daysOf(figures.previous)),
    };
  const wait = (name: "median_minutes" | "p95_minutes") =>
    figures && {
      value: formatWait(figures.total[name]),
      note: `${formatWait(figures.previous[name])} in the previous ${formatCount(daysOf(figures.previous))} days`,
    };
  const shown = [
    ["Submitted", count("submitted")],
    ["Approved", count("approved")],
    ["Rejected", count("rejected")],
    ["Median time to a decision", wait("median_minutes")],
    ["95th percentile time", wait("p95_minutes")],
  ] as const;
  return (
    <Tiles label="Figures of the period" columns={3}>
      {shown.map(([label, figure]) => (
        <Tile
          key={label}
          label={label}
          value={figure?.value}
          note={figure?.note}
          onRetry={onRetry}
        />
      ))}
      <Tile
        label="Owed, approved reports"
        isList
        value={figures && <Sums totals={figures.total.approved_totals} />}
        note={figures && `${formatTotals(figures.previous.approved_totals)} before`}
        onRetry={onRetry}
      />
    </Tiles>
  );
}
