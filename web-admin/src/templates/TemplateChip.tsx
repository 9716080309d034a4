import Chip from "@mui/material/Chip";
import { TEMPLATE_STATUSES, type TemplateStatus } from "#contracts/mail/template-kinds.ts";
import { color } from "#theme/color.ts";

const LOOKS = {
  active: { bgcolor: color.settledTint, borderColor: color.settled, color: color.settled },
  draft: { bgcolor: color.warningTint, borderColor: color.warningLine, color: color.warning },
  inactive: { bgcolor: color.groundStrong, borderColor: color.lineStrong, color: color.ink },
} as const satisfies Readonly<Record<TemplateStatus, object>>;

/** Whether a template is mailed. */
export function TemplateChip({ status }: { readonly status: TemplateStatus }) {
  return (
    <Chip
      label={TEMPLATE_STATUSES[status]}
      variant="outlined"
      sx={{ ...LOOKS[status], fontWeight: 600 }}
    />
  );
}
