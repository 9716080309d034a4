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

/** Shows its content after a short delay, so that fast loads don't flicker. */
export function Delayed({ children }: { children: ReactNode }) {
  return (
    <Box sx={{ animation: `${appear} 1ms linear ${motion.skeletonDelay}ms both` }}>{children}</Box>
  );
}

/** A loading indicator, not shown for fast loads. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <Delayed>
      <LinearProgress aria-label={`Loading ${what}`} />
    </Delayed>
  );
}

/** Reserves the space of content that is loading. @param height in CSS pixels. */
export function Placeholder({ height }: { readonly height: number }) {
  return (
    <Box sx={{ height }}>
      <Delayed>
        <Skeleton variant="rectangular" height={height} />
      </Delayed>
    </Box>
  );
}

/** An error message; nothing if it is empty. */
export function Failure({ children, ...alert }: AlertProps) {
  if (!children) return null;
  return (
    <Alert severity="error" {...alert}>
      {children}
    </Alert>
  );
}

/** Shown while a page is loading. */
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

/** An error message with a retry button. */
export function RetryAlert(props: {
  readonly severity?: "error" | "warning";
  /** What is retried, for the button's label if a page has several. */
  readonly what?: string;
  /** Another action, before the button. */
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
 * Returns why a record can't be shown, or null. A loaded record stays, along with what is typed next to it, if a
 * refetch fails because the network or server is unavailable, but not if it is gone or access is denied.
 */
export function blockingError<E>(data: unknown, error: E): E | null {
  const isOver = error instanceof ApiError && [400, 401, 403, 404, 410].includes(error.status);
  return error && (data === undefined || isOver) ? error : null;
}

/** Shows a loading indicator, an error, or the loaded content, which stays unless `blockingError` forbids it. */
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
      {data !== undefined && !blockingError(data, error) && children(data)}
    </>
  );
}

interface SorryProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly actions: ReactNode;
}

/** A page that explains what went wrong and what to do next. */
export function ErrorPage({ title, children, actions }: SorryProps) {
  return (
    <Box sx={{ maxWidth: 560, py: { xs: 3, md: 6 }, display: "grid", gap: 2 }}>
      <PageHeading title={title}>{title}</PageHeading>
      <Box>{children}</Box>
      <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>{actions}</Box>
    </Box>
  );
}

interface LoadErrorProps {
  /** Singular noun for the record: "report". */
  readonly what: string;
  /** Why it may not exist. */
  readonly absence: string;
  /** The button that leads to the list. It needs a key. */
  readonly list: ReactElement;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Shown if a record doesn't exist or can't be loaded now. */
export function LoadError({ what, absence, list, error, onRetry }: LoadErrorProps) {
  const status = error instanceof ApiError ? error.status : undefined;
  if (status === 400 || status === 404)
    return (
      <ErrorPage title={`${sentenceCase(what)} not found`} actions={list}>
        {absence}
      </ErrorPage>
    );
  if (status === 410)
    return (
      <ErrorPage title={`This ${what} was deleted`} actions={list}>
        Its content is gone. The audit log shows who deleted it, and when.
      </ErrorPage>
    );
  return (
    <ErrorPage
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
    </ErrorPage>
  );
}

/** A record on its own page: a loading indicator, an error, or the content. */
export function Loaded<R extends { readonly id: unknown }>(props: {
  readonly query: {
    readonly data: R | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  /** Singular noun for the record: "template". */
  readonly what: string;
  /** Why it may not exist. */
  readonly absence: string;
  /** Path of its list, and the label of the link to it. */
  readonly list: string;
  readonly all: string;
  readonly children: (record: R) => ReactNode;
}) {
  const { data, error, refetch } = props.query;
  const failure = blockingError(data, error);
  if (failure)
    return (
      <LoadError
        what={props.what}
        absence={props.absence}
        error={failure}
        onRetry={() => void refetch()}
        list={
          <Button key="list" variant="outlined" component={RouterLink} to={props.list}>
            {props.all}
          </Button>
        }
      />
    );
  // No ID means the session has ended; the sign-in page follows.
  if (!data?.id) return <FullPageLoading />;
  return <Fragment key={String(data.id)}>{props.children(data)}</Fragment>;
}
