import { useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useDataProvider, useNotify } from "react-admin";
import type { AuditEntry } from "#contracts/http/audit.ts";
import type { ListedUser, UserCommandBody, UserCommandName } from "#contracts/http/users.ts";
import { ApiError } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { actionText } from "../shared/action-words.ts";
import { formatInstant } from "../shared/formats.ts";
import { useProof } from "../shared/use-proof.tsx";
import { differences, failureSentence } from "./labels.ts";

/** A refusal, and what somebody else changed meanwhile. */
export interface Failure {
  readonly sentence: string;
  /** One sentence for each field. */
  readonly fields: Readonly<Record<string, string>>;
  readonly changes: readonly string[];
}

export interface UserCommands {
  readonly running: boolean;
  readonly failure: Failure | undefined;
  /** @returns whether it is done. */
  run<N extends UserCommandName>(name: N, body: UserCommandBody<N>): Promise<boolean>;
  /** Asks for the password; to be rendered where commands are started. */
  readonly proof: ReactElement | null;
}

/**
 * Sends commands about one account, or adds one. If somebody else was first, nothing is overwritten: what
 * they changed is told, and the next try is about the account as it is then.
 * @param user the account as it is shown; undefined for a new one.
 */
export function useUserCommand(user: ListedUser | undefined): UserCommands {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const proof = useProof();
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [latest, setLatest] = useState<ListedUser>();

  async function explain(name: UserCommandName, error: unknown): Promise<Failure> {
    const sentence = failureSentence(name, error);
    const fields = error instanceof ApiError ? error.fields : {};
    const isLate = error instanceof ApiError && error.code === "account_changed";
    if (!user || !isLate) return { sentence, fields, changes: [] };
    try {
      const { data: now } = await provider.getOne<ListedUser>("users", { id: user.id });
      const changes = [await lastChange(provider, user.id), ...differences(latest ?? user, now)];
      setLatest(now);
      return { sentence, fields, changes: changes.filter((change) => change !== "") };
    } catch {
      return { sentence, fields, changes: [] };
    }
  }

  return {
    running,
    failure,
    proof: proof.dialog,
    async run(name, body) {
      if (running) return false;
      setRunning(true);
      setFailure(undefined);
      try {
        const { revision } = latest ?? user ?? {};
        const sent = user ? { ...body, revision } : body;
        const done = await proof.run(() => provider.userCommand(name, user?.id, sent));
        if (done === undefined) return false;
        notify(done.message ?? "Done", { type: "success" });
        await queryClient.invalidateQueries({ queryKey: ["users"] });
        void queryClient.invalidateQueries({ queryKey: ["audit-logs"] });
        return true;
      } catch (error) {
        setFailure(await explain(name, error));
        return false;
      } finally {
        setRunning(false);
      }
    },
  };
}

/** Who did what to the account last. */
async function lastChange(provider: ConsoleDataProvider, id: string): Promise<string> {
  const { data } = await provider.getList<AuditEntry>("audit-logs", {
    pagination: { page: 1, perPage: 1 },
    sort: { field: "timestamp", order: "DESC" },
    filter: { search: `user-${id}` },
  });
  const [last] = data;
  return last ? `${last.user}: ${actionText(last.action)}, ${formatInstant(last.timestamp)}` : "";
}
