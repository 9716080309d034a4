import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useRef } from "react";
import { useDataProvider, useNotify } from "react-admin";
import { messageOf } from "../../data/api-error.ts";
import type { ConsoleDataProvider, RevealedReport } from "../../data/console-data-provider.ts";
import { useProof } from "../../shared/use-proof.tsx";

export interface Reveal {
  /** All fields in the clear, from a reveal until they are hidden again. */
  readonly full: RevealedReport | undefined;
  /** When that was asked for, in milliseconds since the epoch. */
  readonly atMs: number;
  readonly running: boolean;
  /**
   * Reveals the hidden data, which the registry records: once, however often it is asked for meanwhile. Resolves with
   * the data, or with undefined.
   */
  readonly open: () => Promise<RevealedReport | undefined>;
  readonly hide: () => void;
  /** Asks for the password, when the server wants it again; to be rendered with the button. */
  readonly dialog: ReactElement | null;
}

/** The hidden data of one report. It exists only on this page and in no cache. */
export function useReveal(id: string): Reveal {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const proof = useProof();
  const mutation = useMutation({
    mutationKey: ["reveal", id],
    mutationFn: () => proof.run(() => provider.revealReport(id)),
    gcTime: 0,
  });
  const opening = useRef<Promise<RevealedReport | undefined>>(undefined);
  const reveal = async () => {
    try {
      const revealed = await mutation.mutateAsync();
      if (!revealed) return undefined;
      void queryClient.invalidateQueries({ queryKey: ["reports", "history", id] });
      void queryClient.invalidateQueries({ queryKey: ["audit-logs"] });
      return revealed.data;
    } catch (error) {
      notify(`Failed to reveal the hidden data: ${messageOf(error, "Unknown error")}`, {
        type: "error",
      });
      return undefined;
    } finally {
      opening.current = undefined;
    }
  };
  return {
    full: mutation.data?.data,
    atMs: mutation.submittedAt,
    running: mutation.isPending,
    hide: mutation.reset,
    dialog: proof.dialog,
    open() {
      opening.current ??= reveal();
      return opening.current;
    },
  };
}
