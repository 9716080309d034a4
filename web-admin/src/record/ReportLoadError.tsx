import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { Link as RouterLink } from "react-router-dom";
import { DeletionSteps } from "../commands/DeletionSteps.tsx";
import { paths } from "../config/paths.ts";
import { ApiError } from "../data/api-error.ts";
import { formatInstant } from "../shared/formats.ts";
import { deletionReasonText } from "../shared/labels.ts";
import { Delayed, LoadError, Sorry } from "../shared/states.tsx";

/** Shown when a report cannot be: it is deleted, unknown, or cannot be loaded now. */
export function ReportLoadError({
  id,
  error,
  onRetry,
}: {
  readonly id: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}) {
  const link = (words: string, to: string, variant: "outlined" | "contained" = "outlined") => (
    <Button key={to} variant={variant} component={RouterLink} to={to}>
      {words}
    </Button>
  );
  const list = link("All reports", paths.reports);
  if (error instanceof ApiError && error.status === 410) {
    const { by, erase_at: eraseAt, reason_code: reasonCode = "" } = error.fields;
    return (
      <Sorry
        title="This report was deleted"
        actions={[
          eraseAt && (
            <DeletionSteps
              key="steps"
              id={id}
              by={by}
              reasonCode={reasonCode}
              isHidden
              onDone={onRetry}
            />
          ),
          link("History", paths.reportHistory(id), eraseAt ? "outlined" : "contained"),
          eraseAt ? link("All deleted reports", paths.deletedReports) : list,
        ]}
      >
        {eraseAt
          ? `Reason: ${deletionReasonText(reasonCode).toLowerCase()}. It will be erased on ${formatInstant(eraseAt)}. Until then, any admin can undo the deletion. After that it's final.`
          : "Its personal data was destroyed."}{" "}
        The history still shows who did what and when.
      </Sorry>
    );
  }
  return (
    <LoadError
      what="report"
      absence="Check the address for typos."
      list={list}
      error={error}
      onRetry={onRetry}
    />
  );
}

/** A placeholder for a report that is loading. */
export function RecordSkeleton() {
  return (
    <Delayed>
      <Box
        role="status"
        aria-label="Loading the report"
        sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}
      >
        <Box>
          <Skeleton variant="text" width={220} height={28} />
          <Skeleton variant="text" width={340} height={20} sx={{ maxWidth: "100%" }} />
        </Box>
        <Box
          sx={{
            display: "grid",
            gap: 3,
            gridTemplateColumns: { xs: "1fr", md: "minmax(0, 1fr) 304px" },
          }}
        >
          <Box sx={{ display: "grid", gap: 2 }}>
            <Skeleton variant="rounded" height={88} />
            <Skeleton variant="rounded" height={220} />
            <Skeleton variant="rounded" height={260} />
          </Box>
          <Skeleton variant="rounded" height={420} />
        </Box>
      </Box>
    </Delayed>
  );
}
