import Chip from "@mui/material/Chip";
import { color } from "#theme/color.ts";
import { valueText } from "./labels.ts";

const WAITING = { ground: color.warningTint, edge: color.warningLine, text: color.warning };
const SETTLED = { ground: color.settledTint, edge: color.settled, text: color.settled };
const OFF = { ground: color.groundStrong, edge: color.lineStrong, text: color.ink };
const LOOKS: Readonly<Record<string, typeof OFF>> = {
  pending: WAITING,
  under_review: { ground: color.privateTint, edge: color.privateLine, text: color.private },
  approved: SETTLED,
  rejected: OFF,
  draft: WAITING,
  published: SETTLED,
  active: SETTLED,
  inactive: OFF,
};
const NEUTRAL = { ground: color.paper, edge: color.lineStrong, text: color.inkMuted };

/** A status; without a label, a report's. Red is only for amounts, so a rejected report is grey. */
export function StatusChip({
  status,
  label = valueText("status", status),
}: {
  readonly status: string;
  readonly label?: string;
}) {
  const look = LOOKS[status] ?? NEUTRAL;
  return (
    <Chip
      label={label}
      variant="outlined"
      sx={{ bgcolor: look.ground, borderColor: look.edge, color: look.text, fontWeight: 600 }}
    />
  );
}
