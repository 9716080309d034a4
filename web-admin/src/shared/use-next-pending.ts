import { useQuery } from "@tanstack/react-query";
import { useDataProvider } from "react-admin";
import type { Queue } from "#contracts/http/queue.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";

/** What the queue has for the moderator beside a report. */
export interface NextPending {
  /** The report, other than this one, that is decided next; undefined when there is none. */
  readonly nextId: string | undefined;
  /** How many are to decide, as the queue says it. */
  readonly waiting: number;
}

/** The moderator's queue; undefined until it is known. */
export function useQueueFront(): Queue | undefined {
  const provider = useDataProvider<ConsoleDataProvider>();
  const { data } = useQuery({
    queryKey: ["reports", "queue"],
    queryFn: () => provider.queue(),
    retry: false,
  });
  return data;
}

/** @returns undefined until it is known. */
export function useNextPending(id: string): NextPending | undefined {
  const data = useQueueFront();
  if (!data) return undefined;
  const taken = new Set(data.taken.map(({ report_id }) => report_id));
  const nextId = data.reports.find((each) => each !== id && !taken.has(each));
  return { nextId, waiting: data.waiting };
}
