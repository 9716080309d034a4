import { useQuery } from "@tanstack/react-query";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { ApiError } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { useProvider } from "../shared/reads.ts";

/** The query of one report, which a page that comes next may load before it is opened. */
export function reportQuery(provider: ConsoleDataProvider, id: string) {
  return {
    queryKey: ["reports", "detail", id],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
      (await provider.getOne<AdminReportDetail>("reports", { id, signal })).data,
    retry: false,
  };
}

/** The query of a report's history, of one revision where `at` is given, compared with another one where `against` is. */
export function historyQuery(
  provider: ConsoleDataProvider,
  id: string,
  at?: number,
  against?: number,
) {
  return {
    queryKey: ["reports", "history", id, at ?? null, against ?? null],
    queryFn: () => provider.reportHistory(id, at, against),
    retry: false,
  };
}

/**
 * One report for its page. It is loaded for each page and not cached: rows of the list lack some of
 * its fields, and a deleted report must not stay in memory.
 */
export function useReport(id: string) {
  const provider = useProvider();
  const query = useQuery({ ...reportQuery(provider, id), gcTime: 0 });
  return { ...query, error: unlessShown(query.data, query.error) };
}

/**
 * Why a record cannot be shown. One that was read stays, with what is typed beside it, when reading it again finds the
 * network away or the server busy; not when it is gone, or no longer for this account.
 */
export function unlessShown(data: unknown, error: Error | null): Error | null {
  const isOver = error instanceof ApiError && [401, 403, 404, 410].includes(error.status);
  return data === undefined || isOver ? error : null;
}
