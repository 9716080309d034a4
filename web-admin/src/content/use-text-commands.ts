import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider, useNotify } from "react-admin";
import type { ContentBody, ContentCommandName } from "#contracts/http/admin-content.ts";
import { ApiError, messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";

/** How a command ended. */
export type TextOutcome =
  | { readonly state: "done"; readonly id: string; readonly revision: number }
  /** Somebody else changed the text first; nothing was overwritten. */
  | { readonly state: "changed" }
  | { readonly state: "failed"; readonly error: unknown }
  /** The session has ended, and the sign-in page follows. */
  | { readonly state: "over" };

const FAILED = "That could not be done. Please try again.";

/** Sends commands about texts, one at a time. Each waits for the server. */
export function useTextCommands() {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const [running, setRunning] = useState<ContentCommandName>();
  const [failure, setFailure] = useState<string>();
  return {
    /** The command that runs now. */
    running,
    /** Why the last one failed; undefined once another one begins. */
    failure,
    clear: () => setFailure(undefined),
    async send<N extends ContentCommandName>(
      name: N,
      id: string | undefined,
      body: ContentBody<N>,
    ): Promise<TextOutcome> {
      setRunning(name);
      setFailure(undefined);
      try {
        const { data, message } = await provider.commandText(name, id, body);
        if (!data.id) return { state: "over" };
        for (const key of [["content", "getList"], ["audit-logs"]])
          void queryClient.invalidateQueries({ queryKey: key });
        if (message) notify(message, { type: "success" });
        return { state: "done", ...data };
      } catch (error) {
        setFailure(messageOf(error, FAILED));
        return error instanceof ApiError && error.code === "content_changed"
          ? { state: "changed" }
          : { state: "failed", error };
      } finally {
        setRunning(undefined);
      }
    },
  };
}
