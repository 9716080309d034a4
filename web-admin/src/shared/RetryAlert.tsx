import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import type { ReactNode } from "react";

/** Why something could not be read, with another try. */
export function RetryAlert(props: {
  readonly severity?: "error" | "warning";
  /** What is tried, for the button's name, where several stand on a page. */
  readonly what?: string;
  /** Another way out, before the button. */
  readonly action?: ReactNode;
  readonly onRetry: () => unknown;
  readonly children: ReactNode;
}) {
  const { severity = "error", what, action, onRetry, children } = props;
  return (
    <Alert
      severity={severity}
      action={
        <>
          {action}
          <Button
            color="inherit"
            aria-label={what && `Try again: ${what}`}
            onClick={() => void onRetry()}
          >
            Try again
          </Button>
        </>
      }
    >
      {children}
    </Alert>
  );
}
