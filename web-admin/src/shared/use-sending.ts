import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNotify } from "react-admin";
import { messageOf } from "../data/api-error.ts";
import type { CommandReply, ConsoleDataProvider } from "../data/console-data-provider.ts";
import { useProvider } from "./reads.ts";

export interface SendingOptions<Answer> {
  /** First key parts of the queries to refetch. */
  readonly again: readonly string[];
  /** Which outcomes show a notice: by default, both success and failure; or only success; or none. */
  readonly tells?: "success" | "nothing";
  /** Notice for a failure without a message from the server. */
  readonly failed?: string;
  readonly onDone?: (answer: Answer) => void;
  /** Whether `onDone` is called after the refetch, so that the page behind a dialog is current once that closes. */
  readonly refetchFirst?: true;
  readonly onRefused?: (error: unknown) => unknown;
}

/**
 * Sends a command, shows the server's message, and refetches what may have changed, even after a failure: someone
 * else may have changed it.
 */
export function useSending<Answer extends CommandReply, Input = void>(
  send: (provider: ConsoleDataProvider, input: Input) => Promise<Answer>,
  options: SendingOptions<Answer>,
) {
  const {
    again,
    tells,
    failed = "Couldn't do that. Try again.",
    onDone,
    refetchFirst,
    onRefused,
  } = options;
  const provider = useProvider();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const readAgain = () =>
    Promise.all(again.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
  const mutation = useMutation({
    mutationFn: (input: Input) => send(provider, input),
    // Its response may contain revealed data, so it isn't cached.
    gcTime: 0,
    async onSuccess(answer) {
      if (tells !== "nothing") notify(answer.message ?? "Done", { type: "success" });
      if (refetchFirst) await readAgain();
      onDone?.(answer);
    },
    onError(error) {
      if (!tells) notify(messageOf(error, failed), { type: "error" });
      return onRefused?.(error);
    },
    onSettled: (answer) => (answer && refetchFirst ? undefined : readAgain()),
  });
  const { error } = mutation;
  return { ...mutation, failure: error ? messageOf(error, failed) : undefined };
}
