import { useQuery } from "@tanstack/react-query";
import { useDataProvider } from "react-admin";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";

/** What the queue has for the moderator beside a report. */
export interface NextPending {
  /** The report, other than this one, that is decided next; undefined when there is none. */
  readonly nextId: string | undefined;
  readonly to_decide: number;
}

/** @returns undefined until it is known. */
export function useNextPending(id: string): NextPending | undefined {
  const provider = useDataProvider<ConsoleDataProvider>();
  const { data } = useQuery({
    queryKey: ["reports", "queue"],
    queryFn: () => provider.queue(),
    retry: false,
  });
  if (!data) return undefined;
  const taken = new Set(data.taken.map(({ report_id }) => report_id));
  const nextId = data.reports.find((each) => each !== id && !taken.has(each));
  return { nextId, to_decide: data.to_decide };
}
