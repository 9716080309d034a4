import { type QueryKey, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { useDataProvider } from "react-admin";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";

/**
 * Reads what is at an address of the API, without a second try.
 * @param key begins with what it is of, by which changes find it.
 */
export function useRead<T>(
  key: QueryKey,
  path: string,
  options: Omit<UseQueryOptions<T>, "queryKey" | "queryFn"> = {},
) {
  const provider = useDataProvider<ConsoleDataProvider>();
  return useQuery<T>({
    queryKey: key,
    queryFn: () => provider.read<T>(path),
    retry: false,
    ...options,
  });
}
