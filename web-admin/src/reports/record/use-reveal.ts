import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useDataProvider, useNotify } from "react-admin";
import type { FullReport } from "#contracts/http/report-view.ts";
import { messageOf } from "../../data/api-error.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";

export interface Reveal {
  /** Every field in the clear, once it was asked for and until it is hidden again. */
  readonly full: FullReport | undefined;
  readonly running: boolean;
  /** Opens the kept-back data, which the registry records; resolves to it, or to undefined. */
  readonly open: () => Promise<FullReport | undefined>;
  readonly hide: () => void;
}

/** The hidden data of one report. It lives only on this page and in no cache. */
export function useReveal(id: string): Reveal {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const mutation = useMutation({
    mutationKey: ["reveal", id],
    mutationFn: () => provider.revealReport(id),
    gcTime: 0,
  });
  return {
    full: mutation.data?.data,
    running: mutation.isPending,
    hide: mutation.reset,
    async open() {
      try {
        const { data } = await mutation.mutateAsync();
        void queryClient.invalidateQueries({ queryKey: ["reports", "history", id] });
        void queryClient.invalidateQueries({ queryKey: ["audit-logs"] });
        return data;
      } catch (error) {
        notify(`Failed to open the kept-back data: ${messageOf(error, "Unknown error")}`, {
          type: "error",
        });
        return undefined;
      }
    },
  };
}
