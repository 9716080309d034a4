import { useGetList } from "react-admin";
import type { AdminReport } from "#contracts/http/report-view.ts";

/**
 * The report, other than this one, that is decided next: one whose reporter has answered comes first, then
 * the one that has waited longest. Those that wait for their reporter are left out.
 */
export function useNextPending(id: string): { readonly id: string | undefined; total: number } {
  const { data: answered } = useGetList<AdminReport>("reports", {
    filter: { asked: "answered" },
    sort: { field: "created_at", order: "ASC" },
    pagination: { page: 1, perPage: 2 },
  });
  const { data, total } = useGetList<AdminReport>("reports", {
    filter: { status: "pending", asked: "none" },
    sort: { field: "created_at", order: "ASC" },
    pagination: { page: 1, perPage: 2 },
  });
  const others = data?.filter((report) => report.id !== id) ?? [];
  const isOneOfThem = others.length !== (data?.length ?? 0);
  const front = answered?.find((report) => report.id !== id);
  return {
    id: front?.id ?? others[0]?.id,
    total: Math.max(0, (total ?? 0) - (isOneOfThem ? 1 : 0)),
  };
}
