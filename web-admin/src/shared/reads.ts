import { type QueryKey, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useDataProvider } from "react-admin";
import { useLocation } from "react-router-dom";
import { REPORT_LISTS, type StatusCounts } from "#contracts/http/admin-reports.ts";
import type { Notifications } from "#contracts/http/sessions.ts";
import type { SystemSettings } from "#contracts/http/settings.ts";
import { NOTIFICATIONS } from "#contracts/notification/notification-kinds.ts";
import { SYSTEM_SETTINGS } from "#contracts/settings/settings-at.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { formatCount } from "./formats.ts";
import { labelInSentence } from "./labels.ts";

/** Returns the console's data provider, including its commands. */
export const useProvider = () => useDataProvider<ConsoleDataProvider>();

/**
 * Reads a path of the API without retrying.
 * @param key begins with the resource, so that changes can invalidate it.
 */
export function useRead<T>(
  key: QueryKey,
  path: string,
  options: Omit<UseQueryOptions<T>, "queryKey" | "queryFn"> = {},
) {
  const provider = useProvider();
  return useQuery<T>({
    queryKey: key,
    queryFn: () => provider.read<T>(path),
    retry: false,
    ...options,
  });
}

/** How long a response is fresh when the page changes, in milliseconds. */
const CACHED_MS = 15_000;

/** Like `useRead`, for parts shown on every page; refetched on page changes. */
export function useFrameRead<T>(key: QueryKey, path: string) {
  const { pathname } = useLocation();
  const query = useRead<T>(key, path, { staleTime: CACHED_MS });
  const { isStale, refetch } = query;
  const readAgain = () => void refetch({ cancelRefetch: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step to another page is what asks again.
  useEffect(() => {
    if (isStale) readAgain();
  }, [pathname]);
  return { ...query, readAgain };
}

/** The current settings of the registry; refetched when someone changes them. */
export function useSettings() {
  return useRead<SystemSettings>(["settings"], SYSTEM_SETTINGS);
}

/**
 * Returns the rejection reasons that admins have not turned off. Empty until loaded, so that no reason changes its
 * number; all of them if loading failed, because the server rejects the others.
 */
export function useOffered(codes: readonly string[]): readonly string[] {
  const { data, isPending } = useSettings();
  if (isPending) return [];
  return codes.filter((code) => !data?.rejectReasonsOff.includes(code));
}

/**
 * What needs attention, and the open work of each list: one query for bell, sidebar and dashboard.
 * @param enabled whether the account may read it; only admins may.
 */
export function useNotifications(enabled = true) {
  const options = { staleTime: CACHED_MS, enabled };
  return useRead<Notifications>(["notifications"], NOTIFICATIONS, options);
}

/** Number of reports by status; undefined until loaded or if loading failed. */
export function useStatusCounts() {
  const { data, isError } = useRead<{ counts: StatusCounts }>(
    ["reports", "counts"],
    "/reports?limit=1",
  );
  return { counts: data?.counts, failed: isError };
}

/** Returns e.g. "17 to decide". */
export function waitingText(count: number, list: keyof typeof REPORT_LISTS): string {
  return `${formatCount(count)} ${labelInSentence(REPORT_LISTS[list].name)}`;
}

export function totalOf(counts: StatusCounts): number {
  return counts.pending + counts.under_review + counts.approved + counts.rejected;
}
