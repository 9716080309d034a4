import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useDataProvider, useNotify } from "react-admin";
import { isOutdated, messageOf } from "../../../data/api-error.ts";
import type { ConsoleDataProvider, Publication } from "../../../data/console-data-provider.ts";
import { useProof } from "../../../shared/use-proof.tsx";

export interface EvidenceCommands {
  /** @returns whether it is done, and the screens are up to date. */
  publish(publication: Publication): Promise<boolean>;
  hide(copyId: string, reason: string | undefined): Promise<boolean>;
  readonly running: boolean;
  readonly failure: string | undefined;
  /** Asks for the password, when the server wants it again; to be rendered with the button. */
  readonly dialog: ReactElement | null;
}

/** Publishes and hides pictures of a report's evidence. */
export function useEvidence(reportId: string): EvidenceCommands {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const proof = useProof();
  const mutation = useMutation({
    mutationFn: (send: () => Promise<{ message: string | undefined }>) => proof.run(send),
  });
  const run = async (send: () => Promise<{ message: string | undefined }>) => {
    try {
      const done = await mutation.mutateAsync(send);
      if (!done) return false;
      await queryClient.invalidateQueries({ queryKey: ["reports"] });
      notify(done.message ?? "Done", { type: "success" });
      return true;
    } catch (error) {
      if (isOutdated(error)) await queryClient.invalidateQueries({ queryKey: ["reports"] });
      return false;
    }
  };
  return {
    publish: (publication) => run(() => provider.publishEvidence(reportId, publication)),
    hide: (copyId, reason) => run(() => provider.hideEvidence(reportId, copyId, reason)),
    running: mutation.isPending,
    failure: mutation.error ? messageOf(mutation.error, "It failed. Please try again.") : undefined,
    dialog: proof.dialog,
  };
}
