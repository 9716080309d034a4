import { REPORT_LISTS, type StatusCounts } from "#contracts/http/admin-reports.ts";
import { formatCount } from "./formats.ts";
import { labelInSentence } from "./labels.ts";
import { useRead } from "./use-read.ts";

/** Number of reports by status; undefined until it is loaded, or while it cannot be. */
export function useStatusCounts(): {
  readonly counts: StatusCounts | undefined;
  readonly failed: boolean;
} {
  const { data, isError } = useRead<{ counts: StatusCounts }>(
    ["reports", "counts"],
    "/reports?limit=1",
  );
  return { counts: data?.counts, failed: isError };
}

/** "17 to decide" */
export function waitingWords(count: number, list: keyof typeof REPORT_LISTS): string {
  return `${formatCount(count)} ${labelInSentence(REPORT_LISTS[list].name)}`;
}

export function totalOf(counts: StatusCounts): number {
  return counts.pending + counts.under_review + counts.approved + counts.rejected;
}
