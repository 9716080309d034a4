import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useDataProvider, useNotify } from "react-admin";
import { isOutdated } from "../../data/api-error.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";
import { doneText, failureText } from "./command-texts.ts";
import type { ConsoleCommand } from "./report-commands.ts";

export interface CommandSender {
  /**
   * Sends a command and says how it went; true when it is done and the screens are current.
   * `onFailure` is given the error beside.
   * @param answer what was asked for, as it stands in the body.
   */
  readonly run: (
    command: ConsoleCommand,
    answer?: object,
    onFailure?: (error: unknown) => void,
  ) => Promise<boolean>;
  /** The command that is under way. */
  readonly running: ConsoleCommand | undefined;
  /** Why the last run failed; undefined while another one runs. */
  readonly failure: string | undefined;
  /** Clears the failure. */
  readonly reset: () => void;
}

interface Sent {
  readonly command: ConsoleCommand;
  readonly answer: object;
}

/**
 * Sends commands about a report, one at a time: each waits for the server, then reads again what it
 * may have changed, or what somebody else has changed when it was refused for that.
 */
export function useCommand(reportId: string): CommandSender {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const mutation = useMutation({
    mutationFn: ({ command, answer }: Sent) =>
      provider.moderate(command.name, reportId, { ...command.body, ...answer }),
  });
  const { isPending, error, variables } = mutation;
  return {
    running: isPending ? variables.command : undefined,
    failure: error && variables ? failureText(variables.command, error) : undefined,
    reset: mutation.reset,
    async run(command, answer = {}, onFailure) {
      try {
        const { data } = await mutation.mutateAsync({ command, answer });
        // Without an outcome the session has ended, and the sign-in page follows.
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
        notify(doneText(command), { type: "success" });
        return true;
      } catch (error) {
        const outdated = isOutdated(error);
        // A dialog shows the failure itself: notices stand outside, where neither keyboard nor screen
        // reader reach while it is open.
        if (!command.asks || outdated) notify(failureText(command, error), { type: "error" });
        onFailure?.(error);
        if (outdated) await queryClient.invalidateQueries({ queryKey: ["reports"] });
        return false;
      }
    },
  };
}
