import Box from "@mui/material/Box";
import Chip from "@mui/material/Chip";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router-dom";
import type { AuditEntry } from "#contracts/http/audit.ts";
import { color } from "#theme/color.ts";
import { paths } from "../config/paths.ts";
import { actionText } from "../shared/action-words.ts";
import { auditStatusText, detailsText, resourceOf } from "./audit-words.ts";

/** Whether an action succeeded. Anything else stands out. */
export function AuditStatus({ status }: { readonly status: AuditEntry["status"] }) {
  const text = auditStatusText(status);
  if (status === "success") return <Box component="span">{text}</Box>;
  return (
    <Chip
      variant="outlined"
      label={text}
      sx={{
        bgcolor: color.warningTint,
        borderColor: color.warningLine,
        color: color.warning,
        fontWeight: 600,
      }}
    />
  );
}

/** An entry's action, which opens the event behind it. */
export function OpenEntry({
  entry,
  onOpen,
}: {
  readonly entry: AuditEntry;
  readonly onOpen: (entry: AuditEntry) => void;
}) {
  return (
    <Link
      component="button"
      type="button"
      underline="hover"
      aria-haspopup="dialog"
      onClick={() => onOpen(entry)}
      sx={{ textAlign: "left", font: "inherit", fontWeight: 600 }}
    >
      {actionText(entry.action)}
    </Link>
  );
}

/** What the entry says besides its action, where it says more. */
export function EntryDetails({ details }: { readonly details: AuditEntry["details"] }) {
  if (!details) return null;
  return (
    <Typography
      variant="body2"
      color="textSecondary"
      sx={{ whiteSpace: "normal", overflowWrap: "anywhere" }}
    >
      {detailsText(details)}
    </Typography>
  );
}

/** What the action changed. A report is a link to its history. */
export function ResourceText({ stream }: { readonly stream: string }) {
  const { text, reportId } = resourceOf(stream);
  if (!reportId) return text;
  return (
    <Link component={RouterLink} to={paths.reportHistory(reportId)} underline="hover">
      {text}
    </Link>
  );
}
