import { useGetList } from "react-admin";
import type { AdminReport } from "#contracts/http/report-view.ts";

/** The report, other than this one, that has waited longest for a decision. */
export function useNextPending(id: string): { readonly id: string | undefined; total: number } {
  const { data, total } = useGetList<AdminReport>("reports", {
    filter: { status: "pending" },
    sort: { field: "created_at", order: "ASC" },
    pagination: { page: 1, perPage: 2 },
  });
  const others = data?.filter((report) => report.id !== id) ?? [];
  const isOneOfThem = others.length !== (data?.length ?? 0);
  return { id: others[0]?.id, total: Math.max(0, (total ?? 0) - (isOneOfThem ? 1 : 0)) };
}
