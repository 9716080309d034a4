import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import { useNavigate } from "react-router-dom";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { paths } from "../../config/paths.ts";
import { Instant } from "../../shared/Instant.tsx";
import { deletionReasonText } from "../../shared/labels.ts";
import { DeletionSteps } from "../record/DeletionSteps.tsx";

/** That the report's deletion waits for another admin, and what this one can do. */
export function DeletionRequest({ report }: { readonly report: AdminReportDetail }) {
  const navigate = useNavigate();
  const { id, own, deletion_request: asked } = report;
  if (!asked) return null;
  return (
    <Alert
      severity="warning"
      icon={false}
      // Narrow enough for both buttons beside each other.
      sx={{ px: 1.5, "& .MuiAlert-message": { width: "100%" } }}
    >
      <Box sx={{ mb: own ? 0 : 1 }}>
        {asked.by_name ?? "An admin"} asked to delete this report on <Instant at={asked.at} /> (
        {deletionReasonText(asked.reason_code).toLowerCase()}), after deleting many within an hour.
        Another admin has to approve it.
      </Box>
      {!own && (
        <DeletionSteps
          id={id}
          by={asked.by}
          reasonCode={asked.reason_code}
          isHidden={false}
          onDone={(isHidden) => isHidden && navigate(paths.deletedReports)}
        />
      )}
    </Alert>
  );
}
