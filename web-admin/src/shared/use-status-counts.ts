import { useQuery } from "@tanstack/react-query";
import { useCanAccess, useDataProvider } from "react-admin";
import { REPORT_LISTS, type StatusCounts } from "#contracts/http/admin-reports.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { formatCount } from "./formats.ts";
import { labelInSentence } from "./labels.ts";

/** Number of reports by status; undefined until it is loaded, or while it cannot be. */
export function useStatusCounts(): {
  readonly counts: StatusCounts | undefined;
  readonly failed: boolean;
} {
  const provider = useDataProvider<ConsoleDataProvider>();
  const { canAccess = false } = useCanAccess({ resource: "reports", action: "list" });
  const { data, isError } = useQuery({
    queryKey: ["reports", "counts"],
    queryFn: async () => (await provider.read<{ counts: StatusCounts }>("/reports?limit=1")).counts,
    enabled: canAccess,
    retry: false,
  });
  return { counts: data, failed: isError };
}

/** "17 to decide" */
export function waitingWords(count: number, list: keyof typeof REPORT_LISTS): string {
  return `${formatCount(count)} ${labelInSentence(REPORT_LISTS[list].name)}`;
}

export function totalOf(counts: StatusCounts): number {
  return counts.pending + counts.under_review + counts.approved + counts.rejected;
}
