import Button from "@mui/material/Button";
import { Fragment, type ReactNode } from "react";
import { Link as RouterLink } from "react-router-dom";
import { ApiError } from "../data/api-error.ts";
import { FullPageLoading } from "./FullPageLoading.tsx";
import { LoadError } from "./LoadError.tsx";

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
