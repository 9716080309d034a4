import Button from "@mui/material/Button";
import type { ReactElement } from "react";
import { ApiError, loadFailureText, messageOf } from "../data/api-error.ts";
import { sentenceCase } from "./labels.ts";
import { Sorry } from "./Sorry.tsx";

export interface LoadErrorProps {
  /** What the page shows one of: "report". */
  readonly what: string;
  /** Why there may be none. */
  readonly absence: string;
  /** The button that leads to all of them. It has a key. */
  readonly list: ReactElement;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Shown when something cannot be: it is unknown, or cannot be loaded now. */
export function LoadError({ what, absence, list, error, onRetry }: LoadErrorProps) {
  const status = error instanceof ApiError ? error.status : undefined;
  if (status === 400 || status === 404)
    return (
      <Sorry title={`${sentenceCase(what)} not found`} actions={list}>
        {absence}
      </Sorry>
    );
  if (status === 410)
    return (
      <Sorry title={`This ${what} was deleted`} actions={list}>
        Its content is gone. The audit log shows who deleted it, and when.
      </Sorry>
    );
  return (
    <Sorry
      title={`Couldn't load the ${what}`}
      actions={[
        <Button key="again" variant="contained" onClick={onRetry}>
          Try again
        </Button>,
        list,
      ]}
    >
      {status === 403
        ? messageOf(error, "Your account doesn't have permission to do this.")
        : loadFailureText(what, error)}
    </Sorry>
  );
}
