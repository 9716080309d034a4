import { useQuery } from "@tanstack/react-query";
import { useDataProvider } from "react-admin";
import type { Notifications } from "#contracts/http/sessions.ts";
import { NOTIFICATIONS } from "#contracts/notification/notification-kinds.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";

/** How long an answer is shown before another page asks again, in milliseconds. */
const CACHED_MS = 15_000;

/** What needs attention, and the open work of each list: one answer for bell, sidebar and dashboard. */
export function useNotifications() {
  const provider = useDataProvider<ConsoleDataProvider>();
  return useQuery({
    queryKey: ["notifications"],
    queryFn: () => provider.read<Notifications>(NOTIFICATIONS),
    staleTime: CACHED_MS,
    retry: false,
  });
}
