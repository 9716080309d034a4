import Typography from "@mui/material/Typography";
import type { AdminReport } from "#contracts/http/report-view.ts";

/** Below the status of a report that a DMCA notice keeps from being public. */
export function HeldMark({ report }: { readonly report: AdminReport }) {
  if (!report.held) return null;
  return (
    <Typography color="warning" sx={{ fontWeight: 600, whiteSpace: "nowrap", lineHeight: "18px" }}>
      Held by a notice
    </Typography>
  );
}
