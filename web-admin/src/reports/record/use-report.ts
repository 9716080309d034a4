import { useQuery } from "@tanstack/react-query";
import { useDataProvider } from "react-admin";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";

/** The query of one report, which a page that comes next may load before it is opened. */
export function reportQuery(provider: ConsoleDataProvider, id: string) {
  return {
    queryKey: ["reports", "detail", id],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
      (await provider.getOne<AdminReportDetail>("reports", { id, signal })).data,
    retry: false,
  };
}

/**
 * One report for its page. It is loaded for each page and not cached: rows of the list lack some of
 * its fields, and a deleted report must not stay in memory.
 */
export function useReport(id: string, enabled: boolean) {
  const provider = useDataProvider<ConsoleDataProvider>();
  return useQuery({ ...reportQuery(provider, id), enabled, gcTime: 0 });
}
