import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useDataProvider, useNotify } from "react-admin";
import type { CommandResult, ConsoleDataProvider } from "../../data/console-data-provider.ts";
import { type CommandTexts, failureText } from "./command-texts.ts";

export interface Command<V> {
  /**
   * Sends the command and says how it went; true when it is done and the screens are current.
   * `onFailure` is given the error beside.
   */
  readonly run: (variables: V, onFailure?: (error: unknown) => void) => Promise<boolean>;
  readonly running: boolean;
}

/** A named command: it waits for the server, then reads again what it may have changed. */
export function useCommand<V>(
  send: (provider: ConsoleDataProvider, variables: V) => Promise<CommandResult>,
  texts: CommandTexts,
): Command<V> {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const mutation = useMutation({ mutationFn: (variables: V) => send(provider, variables) });
  return {
    running: mutation.isPending,
    async run(variables, onFailure) {
      try {
        const { data } = await mutation.mutateAsync(variables);
        // Without an outcome the session was over, and the sign-in page is on its way.
        if (!data.id) return false;
        const isDeleted = data.status === "deleted";
        if (isDeleted) queryClient.removeQueries({ queryKey: ["reports", "getOne"] });
        await Promise.all([
          queryClient.invalidateQueries({
            queryKey: ["reports"],
            // The page of a deleted report is about to be left.
            predicate: ({ queryKey }) => !(isDeleted && queryKey[1] === "detail"),
          }),
          queryClient.invalidateQueries({ queryKey: ["audit-logs"] }),
        ]);
        notify(texts.done, { type: "success" });
        return true;
      } catch (error) {
        notify(failureText(texts, error), { type: "error" });
        onFailure?.(error);
        return false;
      }
    },
  };
}
