import Box from "@mui/material/Box";
import Chip from "@mui/material/Chip";
import type { Counts } from "../../data/console-data-provider.ts";
import { formatCount } from "../../shared/formats.ts";
import { totalOf } from "./use-status-counts.ts";

/** Total, pending, approved and rejected reports at a glance. */
export function QuickStats({ counts }: { readonly counts: Counts | undefined }) {
  const figures = [
    ["Total", counts && totalOf(counts)],
    ["Pending", counts?.pending],
    ["Approved", counts?.approved],
    ["Rejected", counts?.rejected],
  ] as const;
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
            label={`${label}: ${count === undefined ? "…" : formatCount(count)}`}
            sx={{ bgcolor: "background.paper", fontVariantNumeric: "tabular-nums" }}
          />
        </li>
      ))}
    </Box>
  );
}
