import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useDataProvider, useNotify } from "react-admin";
import type { FullReport } from "#contracts/http/report-view.ts";
import { messageOf } from "../../data/api-error.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";

export interface Reveal {
  /** All fields in the clear, from a reveal until they are hidden again. */
  readonly full: FullReport | undefined;
  readonly running: boolean;
  /**
   * Reveals the hidden data, which the registry records. Resolves with the data, or with undefined.
   */
  readonly open: () => Promise<FullReport | undefined>;
  readonly hide: () => void;
}

/** The hidden data of one report. It exists only on this page and in no cache. */
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
