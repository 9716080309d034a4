import { useQuery } from "@tanstack/react-query";
import { useRequireAccess } from "react-admin";

/** What an editor's page opens. */
export interface Opened<Item> {
  /** Undefined until it is read, and when the session has ended: the sign-in page follows. */
  readonly item: Item | undefined;
  /** Why it cannot be shown. Where it could be read before, what is typed stays. */
  readonly failure: Error | null;
  readonly retry: () => void;
  /** Reads it again; undefined when that failed. */
  readonly reload: () => Promise<Item | undefined>;
}

/**
 * Reads what an editor opens, once it is known that the reader may edit it.
 * @param names what it is, below its resource.
 */
export function useOpened<Item extends { readonly id: string }>(
  resource: string,
  names: readonly string[],
  read: () => Promise<Item>,
): Opened<Item> {
  const { isPending: isChecking } = useRequireAccess({ resource, action: "edit" });
  const { data, error, refetch } = useQuery({
    queryKey: [resource, "detail", ...names],
    queryFn: read,
    enabled: !isChecking,
    retry: false,
    gcTime: 0,
    // What is typed belongs to it as it was opened.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return {
    item: data?.id ? data : undefined,
    failure: data ? null : error,
    retry: () => void refetch(),
    async reload() {
      const { isError, data: now } = await refetch();
      return isError || !now?.id ? undefined : now;
    },
  };
}
