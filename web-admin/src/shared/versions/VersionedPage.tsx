import type { ReactNode } from "react";
import { Loaded } from "../Loaded.tsx";
import { useRead } from "../use-read.ts";

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

/** Reads something that has versions. */
export function VersionedPage<R extends { readonly id: string }>(props: {
  readonly place: Place;
  /** Why there may be no such thing. */
  readonly absence: string;
  /** Names the list. */
  readonly all: string;
  /** `reload` reads it again; undefined when that failed. */
  readonly children: (record: R, reload: () => Promise<R | undefined>) => ReactNode;
}) {
  const { place, absence, all, children } = props;
  const { resource, what, url, list } = place;
  const query = useRead<R>([resource, "detail", url], url, {
    gcTime: 0,
    // What is typed belongs to it as it was opened.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const reload = async () => {
    const { isError, data } = await query.refetch();
    return isError || !data?.id ? undefined : data;
  };
  return (
    <Loaded query={query} what={what} absence={absence} list={list} all={all}>
      {(record) => children(record, reload)}
    </Loaded>
  );
}
