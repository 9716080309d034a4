import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNotify } from "react-admin";
import { ApiError, messageOf } from "../../data/api-error.ts";
import { useProvider } from "../reads.ts";

/** The outcome of a command. */
export type Outcome =
  | { readonly state: "done"; readonly id: string; readonly revision: number }
  /** Someone else changed it first; nothing was overwritten. */
  | { readonly state: "changed" }
  | { readonly state: "failed"; readonly error: unknown }
  /** The session has ended; the sign-in page follows. */
  | { readonly state: "over" };

/** The commands of a resource, from its contract. */
export interface CommandSet {
  readonly rows: Readonly<
    Record<string, { readonly method: "POST" | "PUT" | "DELETE"; readonly path: string }>
  >;
  /** Error code if someone else changed it first. */
  readonly changedCode: string;
  /** Its lists are refetched after each command. */
  readonly resource: string;
}

/** Joins the encoded parts to a URL under `base`. */
export function urlOf(base: string, ...parts: readonly string[]): string {
  return [base, ...parts.map(encodeURIComponent)].join("/");
}

/** Sends the commands of a resource, one at a time. Waits for the server each time. */
export function useCommands({ rows, changedCode, resource }: CommandSet) {
  const provider = useProvider();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const [running, setRunning] = useState<string>();
  const [failure, setFailure] = useState<string>();
  return {
    running,
    /** Why the last command failed; undefined once another one starts. */
    failure,
    clear: () => setFailure(undefined),
    /** @param url of the record, or of the collection for a new record. */
    async send(name: string, url: string, body: object): Promise<Outcome> {
      const row = rows[name];
      if (!row) throw new Error(`There is no command ${name}`);
      setRunning(name);
      setFailure(undefined);
      try {
        const { data, message } = await provider.command<{ id: string; revision: number }>(
          url + row.path.replace(/\/:\w+/g, ""),
          body,
          row.method,
        );
        if (!data.id) return { state: "over" };
        void queryClient.invalidateQueries({
          predicate: ({ queryKey: [name, kind] }) =>
            name === "audit-logs" || (name === resource && kind !== "detail"),
        });
        if (message) notify(message, { type: "success" });
        return { state: "done", id: data.id, revision: data.revision };
      } catch (error) {
        setFailure(messageOf(error, "Couldn't do that. Try again."));
        return error instanceof ApiError && error.code === changedCode
          ? { state: "changed" }
          : { state: "failed", error };
      } finally {
        setRunning(undefined);
      }
    },
  };
}
