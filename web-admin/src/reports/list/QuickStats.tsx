import Box from "@mui/material/Box";
import Chip from "@mui/material/Chip";
import type { Counts } from "../../data/console-data-provider.ts";
import { formatCount } from "../../shared/formats.ts";
import { totalOf } from "../../shared/use-status-counts.ts";

/** Total, pending, approved and rejected reports at a glance. */
export function QuickStats({
  counts,
  failed,
}: {
  readonly counts: Counts | undefined;
  /** Whether they could not be read. */
  readonly failed: boolean;
}) {
  const figures = [
    ["Total", counts && totalOf(counts)],
    ["Pending", counts?.pending],
    ["Approved", counts?.approved],
    ["Rejected", counts?.rejected],
  ] as const;
  const unknown = failed ? "not known" : "…";
  return (
    <Box
      component="ul"
      aria-label="Quick Stats"
      sx={{ m: 0, p: 0, listStyle: "none", display: "flex", flexWrap: "wrap", gap: 1 }}
    >
      {figures.map(([label, count]) => (
        <li key={label}>
          <Chip
            variant="outlined"
            label={`${label}: ${count === undefined ? unknown : formatCount(count)}`}
            sx={{ bgcolor: "background.paper", fontVariantNumeric: "tabular-nums" }}
          />
        </li>
      ))}
    </Box>
  );
}
