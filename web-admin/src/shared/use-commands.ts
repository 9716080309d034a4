import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNotify } from "react-admin";
import { ApiError, messageOf } from "../data/api-error.ts";

/** How a command ended. */
export type Outcome =
  | { readonly state: "done"; readonly id: string; readonly revision: number }
  /** Somebody else changed the same thing first; nothing was overwritten. */
  | { readonly state: "changed" }
  | { readonly state: "failed"; readonly error: unknown }
  /** Nothing was sent: whoever was asked for the password did not want to. */
  | { readonly state: "declined" }
  /** The session has ended, and the sign-in page follows. */
  | { readonly state: "over" };

/** What the server answers to a command, with its own sentence. */
export interface CommandAnswer {
  readonly data: { readonly id: string; readonly revision: number };
  readonly message: string | undefined;
}

const FAILED = "That could not be done. Please try again.";

/**
 * Sends commands, one at a time. Each waits for the server.
 * @param changedCode code of the refusal that says that somebody else was first.
 * @param outdated what is read again after each.
 */
export function useCommands<Name extends string>(
  changedCode: string,
  outdated: readonly QueryKey[],
) {
  const queryClient = useQueryClient();
  const notify = useNotify();
  const [running, setRunning] = useState<Name>();
  const [failure, setFailure] = useState<string>();
  return {
    /** The command that runs now. */
    running,
    /** Why the last one failed; undefined once another one begins. */
    failure,
    clear: () => setFailure(undefined),
    async send(name: Name, work: () => Promise<CommandAnswer | undefined>): Promise<Outcome> {
      setRunning(name);
      setFailure(undefined);
      try {
        const answer = await work();
        if (!answer) return { state: "declined" };
        const { data, message } = answer;
        if (!data.id) return { state: "over" };
        for (const queryKey of [...outdated, ["audit-logs"]])
          void queryClient.invalidateQueries({ queryKey });
        if (message) notify(message, { type: "success" });
        return { state: "done", ...data };
      } catch (error) {
        setFailure(messageOf(error, FAILED));
        return error instanceof ApiError && error.code === changedCode
          ? { state: "changed" }
          : { state: "failed", error };
      } finally {
        setRunning(undefined);
      }
    },
  };
}
