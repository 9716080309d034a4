import { useQuery } from "@tanstack/react-query";
import { useCanAccess, useDataProvider } from "react-admin";
import type { ConsoleDataProvider, Counts } from "../../data/console-data-provider.ts";

/** Number of reports by status; undefined until it is loaded. */
export function useStatusCounts(): Counts | undefined {
  const provider = useDataProvider<ConsoleDataProvider>();
  const { canAccess = false } = useCanAccess({ resource: "reports", action: "list" });
  const { data } = useQuery({
    queryKey: ["reports", "counts"],
    queryFn: () => provider.statusCounts(),
    enabled: canAccess,
    retry: false,
  });
  return data?.data;
}

export function totalOf(counts: Counts): number {
  return counts.pending + counts.under_review + counts.approved + counts.rejected;
}
