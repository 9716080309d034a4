import Chip from "@mui/material/Chip";
import { color } from "#theme/color.ts";
import { standingText } from "./text-words.ts";

/** Where a text stands. */
export function StandingChip(props: { readonly status: string; readonly has_changes: boolean }) {
  const isDraft = props.status === "draft";
  return (
    <Chip
      label={standingText(props.status, props.has_changes)}
      variant="outlined"
      sx={{
        bgcolor: isDraft ? color.warningTint : color.settledTint,
        borderColor: isDraft ? color.warningLine : color.settled,
        color: isDraft ? color.warning : color.settled,
        fontWeight: 600,
      }}
    />
  );
}
