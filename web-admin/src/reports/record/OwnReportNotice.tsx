import Alert from "@mui/material/Alert";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";

/** Says why nothing is offered about a report that concerns the moderator. */
export function OwnReportNotice() {
  return <Alert severity="info">{OWN_REPORT}</Alert>;
}
