import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNotify } from "react-admin";
import { isOutdated, messageOf } from "../../data/api-error.ts";
import { useProof } from "../../shared/use-proof.tsx";

type Work = () => Promise<{ readonly message: string | undefined }>;

/** Sends what staff do about a report's files and its RESOLVED banner, one at a time. */
export function useSend() {
  const queryClient = useQueryClient();
  const notify = useNotify();
  const proof = useProof();
  const readAgain = () =>
    Promise.all(
      ["reports", "audit-logs"].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
    );
  const mutation = useMutation({
    async mutationFn({ work }: { readonly work: Work; readonly failed: string }) {
      const done = await proof.run(work);
      if (done) await readAgain();
      return done;
    },
  });
  const { error, variables, isPending, reset } = mutation;
  return {
    /**
     * @param failed said where the server does not say why it failed.
     * @returns whether it is done, and the screens are up to date.
     */
    async send(failed: string, work: Work): Promise<boolean> {
      try {
        const done = await mutation.mutateAsync({ work, failed });
        if (!done) return false;
        notify(done.message ?? "Done", { type: "success" });
        return true;
      } catch (failure) {
        // Somebody else was first.
        if (isOutdated(failure)) await readAgain();
        return false;
      }
    },
    running: isPending,
    failure: error && variables ? messageOf(error, variables.failed) : undefined,
    reset,
    proof,
  };
}
