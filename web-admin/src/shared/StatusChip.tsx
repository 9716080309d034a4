import Chip from "@mui/material/Chip";
import { color } from "#theme/color.ts";
import { valueText } from "./labels.ts";

const LOOKS: Readonly<Record<string, { ground: string; edge: string; text: string }>> = {
  pending: { ground: color.warningTint, edge: color.warningLine, text: color.warning },
  under_review: { ground: color.privateTint, edge: color.privateLine, text: color.private },
  approved: { ground: color.settledTint, edge: color.settled, text: color.settled },
  rejected: { ground: color.groundStrong, edge: color.lineStrong, text: color.ink },
};
const NEUTRAL = { ground: color.paper, edge: color.lineStrong, text: color.inkMuted };

/** A report's status. Red is only for amounts, so a rejected report is grey. */
export function StatusChip({ status }: { readonly status: string }) {
  const look = LOOKS[status] ?? NEUTRAL;
  return (
    <Chip
      label={valueText("status", status)}
      variant="outlined"
      sx={{ bgcolor: look.ground, borderColor: look.edge, color: look.text, fontWeight: 600 }}
    />
  );
}
