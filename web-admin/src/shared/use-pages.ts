import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router-dom";

/** The pages of a list that is read on from its last row, as far as they were asked for. */
export interface Pages<Page> {
  readonly pages: readonly Page[] | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  /** Undefined on the last page. */
  readonly more: (() => void) | undefined;
  readonly retry: () => void;
  /** Whether any of the filters is set. */
  readonly isFiltered: boolean;
  /** A filter's value in the address. */
  readonly filter: (name: string) => string | undefined;
  readonly setFilter: (name: string, value: string | undefined) => void;
}

/**
 * Reads a list page by page, with its filters in the address.
 * @param name of its queries.
 * @param names of its filters.
 */
export function usePages<Page extends { readonly next?: string }>(
  name: string,
  names: readonly string[],
  read: (
    filters: Readonly<Record<string, string | undefined>>,
    after: string | undefined,
  ) => Promise<Page>,
): Pages<Page> {
  const [query, setQuery] = useSearchParams();
  const filter = (of: string) => query.get(of) || undefined;
  const filters = Object.fromEntries(names.map((of) => [of, filter(of)]));
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: [name, filters],
    queryFn: ({ pageParam }) => read(filters, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: Page) => next,
    retry: false,
  });
  return {
    pages: data?.pages,
    error,
    isFetching,
    more: hasNextPage ? () => void fetchNextPage() : undefined,
    retry: () => void (data && hasNextPage ? fetchNextPage() : refetch()),
    isFiltered: Object.values(filters).some((value) => value !== undefined),
    filter,
    setFilter(of, value) {
      const changed = new URLSearchParams(query);
      if (value === undefined) changed.delete(of);
      else changed.set(of, value);
      setQuery(changed, { replace: true });
    },
  };
}
