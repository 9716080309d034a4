import { useQuery } from "@tanstack/react-query";
import { useDataProvider } from "react-admin";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";

/**
 * One report as its page shows it. It is read again for each page and kept by none: rows of the list
 * lack parts of it, and a deleted report must not linger.
 */
export function useReport(id: string, enabled: boolean) {
  const provider = useDataProvider<ConsoleDataProvider>();
  return useQuery({
    queryKey: ["reports", "detail", id],
    queryFn: async ({ signal }) =>
      (await provider.getOne<AdminReportDetail>("reports", { id, signal })).data,
    enabled,
    retry: false,
    gcTime: 0,
  });
}
