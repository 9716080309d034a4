import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNotify } from "react-admin";
import { messageOf } from "../../data/api-error.ts";
import type { Said } from "../../data/console-data-provider.ts";

/**
 * Sends a command about an inquiry or a notice, says what the server says, and reads it again, also after a
 * refusal: somebody else may have changed it.
 */
export function useCaseCommand<Input>(
  send: (input: Input) => Promise<Said>,
  onDone?: () => void,
  /** What is read again. */
  names: readonly string[] = ["inquiries"],
) {
  const queryClient = useQueryClient();
  const notify = useNotify();
  return useMutation({
    mutationFn: send,
    onSuccess: ({ message }) => {
      notify(message ?? "Done", { type: "success" });
      onDone?.();
    },
    onError: (error) => notify(messageOf(error, "It failed. Please try again."), { type: "error" }),
    onSettled: () =>
      Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] }))),
  });
}
