import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useDataProvider, useNotify } from "react-admin";
import { isOutdated } from "../../data/api-error.ts";
import type { CommandResult, ConsoleDataProvider } from "../../data/console-data-provider.ts";
import { type CommandTexts, failureText } from "./command-texts.ts";

export interface Command<V> {
  /**
   * Sends the command and shows the outcome. Resolves with true when it is done and the screens are
   * up to date. `onFailure` also receives the error.
   */
  readonly run: (variables: V, onFailure?: (error: unknown) => void) => Promise<boolean>;
  readonly running: boolean;
  /** Why the last run failed; undefined while another one runs. */
  readonly failure: string | undefined;
  /** Clears the failure. */
  readonly reset: () => void;
}

export interface CommandOptions {
  /**
   * Whether the command is sent from a dialog, which shows `failure` itself. Notices are outside
   * the dialog, where keyboard and screen reader cannot reach while it is open.
   */
  readonly inDialog?: boolean;
}

/**
 * A named command. It waits for the server, then loads again what the command may have changed. If
 * it was refused because somebody else made a change, it loads that change.
 */
export function useCommand<V>(
  send: (provider: ConsoleDataProvider, variables: V) => Promise<CommandResult>,
  texts: CommandTexts,
  { inDialog = false }: CommandOptions = {},
): Command<V> {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const mutation = useMutation({ mutationFn: (variables: V) => send(provider, variables) });
  return {
    running: mutation.isPending,
    failure: mutation.error ? failureText(texts, mutation.error) : undefined,
    reset: mutation.reset,
    async run(variables, onFailure) {
      try {
        const { data } = await mutation.mutateAsync(variables);
        // Without a result the session has ended, and the sign-in page follows.
        if (!data.id) return false;
        const isDeleted = data.status === "deleted";
        if (isDeleted) queryClient.removeQueries({ queryKey: ["reports", "getOne"] });
        await Promise.all([
          queryClient.invalidateQueries({
            queryKey: ["reports"],
            // The page of a deleted report is about to be left, so its query is not loaded again.
            predicate: ({ queryKey }) => !(isDeleted && queryKey[1] === "detail"),
          }),
          queryClient.invalidateQueries({ queryKey: ["audit-logs"] }),
        ]);
        notify(texts.done, { type: "success" });
        return true;
      } catch (error) {
        const outdated = isOutdated(error);
        if (!inDialog || outdated) notify(failureText(texts, error), { type: "error" });
        onFailure?.(error);
        if (outdated) await queryClient.invalidateQueries({ queryKey: ["reports"] });
        return false;
      }
    },
  };
}
