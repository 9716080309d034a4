import Button from "@mui/material/Button";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useDataProvider, useRequireAccess } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { ApiError } from "../../data/api-error.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";
import { FullPageLoading } from "../FullPageLoading.tsx";
import { LoadError } from "../LoadError.tsx";
import { Sorry } from "../Sorry.tsx";

/** Where something that has versions is. */
export interface Place {
  readonly resource: string;
  /** What it is: "template". */
  readonly what: string;
  /** Its address in the API. */
  readonly url: string;
  /** Path of the list that it is in. */
  readonly list: string;
}

/** Reads something that has versions, once the reader is known to be allowed to edit it. */
export function VersionedPage<R extends { readonly id: string }>(props: {
  readonly place: Place;
  /** Why there may be no such thing. */
  readonly absence: string;
  /** Names the list. */
  readonly all: string;
  /** `reload` reads it again; undefined when that failed. */
  readonly children: (record: R, reload: () => Promise<R | undefined>) => ReactNode;
}) {
  const { resource, what, url, list } = props.place;
  const provider = useDataProvider<ConsoleDataProvider>();
  const { isPending: isChecking } = useRequireAccess({ resource, action: "edit" });
  const { data, error, refetch } = useQuery({
    queryKey: [resource, "detail", url],
    queryFn: () => provider.read<R>(url),
    enabled: !isChecking,
    retry: false,
    gcTime: 0,
    // What is typed belongs to it as it was opened.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const all = (
    <Button key="list" variant="outlined" component={RouterLink} to={list}>
      {props.all}
    </Button>
  );
  if (error instanceof ApiError && error.status === 410)
    return (
      <Sorry title={`This ${what} was deleted`} actions={all}>
        Its content is gone. The audit log shows who deleted it, and when.
      </Sorry>
    );
  if (error && !data)
    return (
      <LoadError
        what={what}
        absence={props.absence}
        list={all}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  // Without an id the session has ended, and the sign-in page follows.
  if (!data?.id) return <FullPageLoading />;
  return props.children(data, async () => {
    const { isError, data: now } = await refetch();
    return isError || !now?.id ? undefined : now;
  });
}
