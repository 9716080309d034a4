import Button from "@mui/material/Button";
import { Link as RouterLink } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { ApiError, loadFailureText, messageOf } from "../../data/api-error.ts";
import { Sorry } from "../../shared/Sorry.tsx";

export interface ReportLoadErrorProps {
  readonly id: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Shown when a report cannot be: it is deleted, unknown, or cannot be loaded now. */
export function ReportLoadError({ id, error, onRetry }: ReportLoadErrorProps) {
  const status = error instanceof ApiError ? error.status : undefined;
  const list = (
    <Button key="list" variant="outlined" component={RouterLink} to={paths.reports}>
      All reports
    </Button>
  );
  if (status === 410) {
    return (
      <Sorry
        title="This report was deleted"
        actions={[
          <Button
            key="history"
            variant="contained"
            component={RouterLink}
            to={paths.reportHistory(id)}
          >
            History
          </Button>,
          list,
        ]}
      >
        What it said about people is destroyed. Its history still says who did what, and when.
      </Sorry>
    );
  }
  if (status === 400 || status === 404) {
    return (
      <Sorry title="There is no such report" actions={list}>
        The address may be mistyped.
      </Sorry>
    );
  }
  return (
    <Sorry
      title="The report did not load"
      actions={[
        <Button key="again" variant="contained" onClick={onRetry}>
          Try again
        </Button>,
        list,
      ]}
    >
      {status === 403
        ? messageOf(error, "Your account may not do this.")
        : loadFailureText("report", error)}
    </Sorry>
  );
}
