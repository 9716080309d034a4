import { useGetList } from "react-admin";
import type { AdminReport } from "#contracts/http/report-view.ts";

/** Reports of each list that are looked at. */
const LOOKED_AT = 10;

/**
 * The report, other than this one, that is decided next: one whose reporter has answered comes first, then
 * the one that has waited longest. Those that wait for their reporter are left out, and those that concern the
 * moderator as far as the list is looked through.
 */
export function useNextPending(id: string): { readonly id: string | undefined; total: number } {
  const { data: answered } = useGetList<AdminReport>("reports", {
    filter: { asked: "answered" },
    sort: { field: "created_at", order: "ASC" },
    pagination: { page: 1, perPage: LOOKED_AT },
  });
  const { data, total } = useGetList<AdminReport>("reports", {
    filter: { status: "pending", asked: "none" },
    sort: { field: "created_at", order: "ASC" },
    pagination: { page: 1, perPage: LOOKED_AT },
  });
  const isForThem = (report: AdminReport) => report.id !== id && !report.own;
  const others = data?.filter(isForThem) ?? [];
  const leftOut = (data?.length ?? 0) - others.length;
  const front = answered?.find(isForThem);
  return {
    id: front?.id ?? others[0]?.id,
    total: Math.max(0, (total ?? 0) - leftOut),
  };
}
