import { useQuery } from "@tanstack/react-query";
import { useDataProvider } from "react-admin";
import type { ConsoleDataProvider, Counts } from "../../data/console-data-provider.ts";

/** How many reports stand in each status; undefined until it is known. */
export function useStatusCounts(): Counts | undefined {
  const provider = useDataProvider<ConsoleDataProvider>();
  const { data } = useQuery({
    queryKey: ["reports", "counts"],
    queryFn: () => provider.statusCounts(),
  });
  return data?.data;
}

export function totalOf(counts: Counts): number {
  return counts.pending + counts.under_review + counts.approved + counts.rejected;
}
