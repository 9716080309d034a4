import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNotify } from "react-admin";
import { messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider, Said } from "../data/console-data-provider.ts";
import { useProvider } from "./reads.ts";

export interface SendingOptions<Answer> {
  /** First parts of the keys of what is read again. */
  readonly again: readonly string[];
  /** What is told in a notice: unless it is said, how it ended; else that it is done, or nothing. */
  readonly tells?: "success" | "nothing";
  /** What is told of a failure where the server says nothing. */
  readonly failed?: string;
  readonly onDone?: (answer: Answer) => void;
  /** Whether `onDone` comes after what is read again: what stands behind a dialog is true once that closes. */
  readonly isReadFirst?: true;
  readonly onRefused?: (error: unknown) => unknown;
}

/**
 * Sends a command, says what the server says, and reads again what it may have changed, also after a refusal: somebody
 * else may have changed it.
 */
export function useSending<Answer extends Said, Input = void>(
  send: (provider: ConsoleDataProvider, input: Input) => Promise<Answer>,
  options: SendingOptions<Answer>,
) {
  const {
    again,
    tells,
    failed = "Couldn't do that. Try again.",
    onDone,
    isReadFirst,
    onRefused,
  } = options;
  const provider = useProvider();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const readAgain = () =>
    Promise.all(again.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
  const mutation = useMutation({
    mutationFn: (input: Input) => send(provider, input),
    // What it opened exists nowhere else.
    gcTime: 0,
    async onSuccess(answer) {
      if (tells !== "nothing") notify(answer.message ?? "Done", { type: "success" });
      if (isReadFirst) await readAgain();
      onDone?.(answer);
    },
    onError(error) {
      if (!tells) notify(messageOf(error, failed), { type: "error" });
      return onRefused?.(error);
    },
    onSettled: (answer) => (answer && isReadFirst ? undefined : readAgain()),
  });
  const { error } = mutation;
  return { ...mutation, failure: error ? messageOf(error, failed) : undefined };
}
