import Button from "@mui/material/Button";
import { Link as RouterLink } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { ApiError } from "../../data/api-error.ts";
import { formatInstant } from "../../shared/formats.ts";
import { LoadError } from "../../shared/LoadError.tsx";
import { deletionReasonText } from "../../shared/labels.ts";
import { Sorry } from "../../shared/Sorry.tsx";
import { DeletionSteps } from "./DeletionSteps.tsx";

export interface ReportLoadErrorProps {
  readonly id: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Shown when a report cannot be: it is deleted, unknown, or cannot be loaded now. */
export function ReportLoadError({ id, error, onRetry }: ReportLoadErrorProps) {
  const list = (
    <Button key="list" variant="outlined" component={RouterLink} to={paths.reports}>
      All reports
    </Button>
  );
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
          <Button
            key="history"
            variant={eraseAt ? "outlined" : "contained"}
            component={RouterLink}
            to={paths.reportHistory(id)}
          >
            History
          </Button>,
          <Button
            key="list"
            variant="outlined"
            component={RouterLink}
            to={eraseAt ? paths.deletedReports : paths.reports}
          >
            {eraseAt ? "All deleted reports" : "All reports"}
          </Button>,
        ]}
      >
        {eraseAt
          ? `Reason: ${deletionReasonText(reasonCode).toLowerCase()}. It will be erased on ${formatInstant(eraseAt)}. Until then, any admin can undo the deletion. After that it's final.`
          : "What it said about people is destroyed."}{" "}
        Its history still says who did what, and when.
      </Sorry>
    );
  }
  return (
    <LoadError
      what="report"
      absence="The address may be mistyped."
      list={list}
      error={error}
      onRetry={onRetry}
    />
  );
}
