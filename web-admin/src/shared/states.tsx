import { keyframes } from "@emotion/react";
import Alert, { type AlertProps } from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { Fragment, type ReactElement, type ReactNode } from "react";
import { Link as RouterLink } from "react-router-dom";
import { motion } from "#theme/tokens.ts";
import { ApiError, loadFailureText, messageOf } from "../data/api-error.ts";
import { sentenceCase } from "./labels.ts";
import { PageHeading } from "./page.tsx";

const appear = keyframes({ from: { opacity: 0 }, to: { opacity: 1 } });

/** Shows its content after a short delay, so that fast loads do not flicker. */
export function Delayed({ children }: { children: ReactNode }) {
  return (
    <Box sx={{ animation: `${appear} 1ms linear ${motion.skeletonDelay}ms both` }}>{children}</Box>
  );
}

/** Says that something is loading, unless it is fast. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <Delayed>
      <LinearProgress aria-label={`Loading ${what}`} />
    </Delayed>
  );
}

/** Keeps the place of what is loading. @param height in CSS pixels. */
export function Placeholder({ height }: { readonly height: number }) {
  return (
    <Box sx={{ height }}>
      <Delayed>
        <Skeleton variant="rectangular" height={height} />
      </Delayed>
    </Box>
  );
}

/** Why something didn't work; nothing without a reason. */
export function Failure({ children, ...alert }: AlertProps) {
  if (!children) return null;
  return (
    <Alert severity="error" {...alert}>
      {children}
    </Alert>
  );
}

/** Stands in for a page that is on its way. */
export function FullPageLoading() {
  return (
    <Delayed>
      <Box component="p" role="status" aria-busy sx={{ p: 3, color: "text.secondary" }}>
        Loading…
      </Box>
    </Delayed>
  );
}

interface EmptyNoteProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** Shown when a list is empty. */
export function EmptyNote({ title, children }: EmptyNoteProps) {
  return (
    <Box
      sx={{ px: 2, py: 6, textAlign: "center", display: "grid", gap: 1, justifyItems: "center" }}
    >
      <Typography variant="h2" component="p">
        {title}
      </Typography>
      {children}
    </Box>
  );
}

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

/**
 * Shows that something loads, why it couldn't be read, or its content. Content that was read stays
 * when a later read fails.
 */
export function Read<T>(props: {
  readonly query: {
    readonly data: T | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  readonly what: string;
  readonly failed?: (error: unknown) => string;
  readonly children: (data: T) => ReactNode;
}) {
  const { query, what, failed = (error) => loadFailureText(what, error), children } = props;
  const { data, error, refetch } = query;
  return (
    <>
      {Boolean(error) && <RetryAlert onRetry={refetch}>{failed(error)}</RetryAlert>}
      {data === undefined && !error && <Loading what={what} />}
      {data !== undefined && children(data)}
    </>
  );
}

interface SorryProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly actions: ReactNode;
}

/** A page that says what went wrong and what to do next. */
export function Sorry({ title, children, actions }: SorryProps) {
  return (
    <Box sx={{ maxWidth: 560, py: { xs: 3, md: 6 }, display: "grid", gap: 2 }}>
      <PageHeading title={title}>{title}</PageHeading>
      <Box>{children}</Box>
      <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>{actions}</Box>
    </Box>
  );
}

interface LoadErrorProps {
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

/** One thing of a list, on a page: until it is here that it comes, or why it does not. */
export function Loaded<R extends { readonly id: unknown }>(props: {
  readonly query: {
    readonly data: R | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  /** What it is: "template". */
  readonly what: string;
  /** Why there may be no such thing. */
  readonly absence: string;
  /** Path of the list that it is in, and the words that lead there. */
  readonly list: string;
  readonly all: string;
  readonly children: (record: R) => ReactNode;
}) {
  const { data, error, refetch } = props.query;
  const isGone = error instanceof ApiError && [400, 404, 410].includes(error.status);
  // What is being typed stays when a later read fails, unless there is nothing left that it is about.
  if (error && (isGone || !data))
    return (
      <LoadError
        what={props.what}
        absence={props.absence}
        error={error}
        onRetry={() => void refetch()}
        list={
          <Button key="list" variant="outlined" component={RouterLink} to={props.list}>
            {props.all}
          </Button>
        }
      />
    );
  // Without an id the session has ended, and the sign-in page follows.
  if (!data?.id) return <FullPageLoading />;
  return <Fragment key={String(data.id)}>{props.children(data)}</Fragment>;
}
