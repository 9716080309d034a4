import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNotify } from "react-admin";
import { messageOf } from "../data/api-error.ts";

/**
 * Sends a command about an inquiry, says what the server says, and reads the inquiry again, also after a
 * refusal: somebody else may have changed it.
 */
export function useInquiryCommand<Input>(
  send: (input: Input) => Promise<string | undefined>,
  onDone?: () => void,
) {
  const queryClient = useQueryClient();
  const notify = useNotify();
  return useMutation({
    mutationFn: send,
    onSuccess: (message) => {
      notify(message ?? "Done", { type: "success" });
      onDone?.();
    },
    onError: (error) => notify(messageOf(error, "It failed. Please try again."), { type: "error" }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["inquiries"] }),
  });
}
