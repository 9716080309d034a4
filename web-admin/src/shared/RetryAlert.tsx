import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import type { ReactNode } from "react";

/** Why something could not be read, with another try. */
export function RetryAlert(props: {
  readonly severity?: "error" | "warning";
  readonly onRetry: () => unknown;
  readonly children: ReactNode;
}) {
  const { severity = "error", onRetry, children } = props;
  return (
    <Alert
      severity={severity}
      action={
        <Button color="inherit" onClick={() => void onRetry()}>
          Try again
        </Button>
      }
    >
      {children}
    </Alert>
  );
}
