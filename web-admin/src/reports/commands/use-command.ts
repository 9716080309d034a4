import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createElement, useRef } from "react";
import { useDataProvider, useNotify } from "react-admin";
import { isDecision } from "#contracts/http/moderation.ts";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { UNDO_MS } from "#contracts/report/reporter-rules.ts";
import { ApiError, isOutdated } from "../../data/api-error.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";
import { type Proof, useProof } from "../../shared/use-proof.tsx";
import { doneText, failureText } from "./labels.ts";
import { type ConsoleCommand, UNDO } from "./report-commands.ts";
import { tellUndone, UndoOffer } from "./UndoOffer.tsx";

export interface CommandSender {
  /**
   * Sends a command and says how it went.
   * @param answer the part of the body that was asked for.
   * @param onFailure called with the error as well.
   * @returns true when the command is done and the screens are up to date.
   */
  readonly run: (
    command: ConsoleCommand,
    answer?: object,
    onFailure?: (error: unknown) => void,
  ) => Promise<boolean>;
  /** The command that runs now. */
  readonly running: ConsoleCommand | undefined;
  /** Why the last run failed; undefined while another one runs. */
  readonly failure: string | undefined;
  /** Clears the failure. */
  readonly reset: () => void;
  /** Asks for the password where a command needs it; to be rendered where commands are sent. */
  readonly dialog: Proof["dialog"];
}

interface Sent {
  readonly command: ConsoleCommand;
  readonly answer: object;
}

/**
 * Sends commands about a report, one at a time. Each waits for the server, then reads again what it
 * may have changed. A command that is refused because somebody else was first reads again as well.
 * @param report as it is shown. A decision is about just that: it is refused where somebody else has changed
 *   the report meanwhile. A decision is offered to be undone. Absent where nothing is decided.
 * @param isLeft whether the page leaves the report once it is decided, and then reads again itself.
 */
export function useCommand(
  reportId: string,
  report?: Pick<AdminReport, "status" | "revision">,
  isLeft = false,
): CommandSender {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const notify = useNotify();
  /** The revision that this moderator's last command made, until the report is read again. */
  const made = useRef(-1);
  const seen = (command: ConsoleCommand) =>
    report && isDecision(command.name) ? { revision: Math.max(report.revision, made.current) } : {};
  const proof = useProof();
  const mutation = useMutation({
    mutationFn: ({ command, answer }: Sent) =>
      proof.run(() =>
        provider.moderate(command.name, reportId, { ...command.body, ...answer, ...seen(command) }),
      ),
  });
  const { isPending, error, variables } = mutation;
  const undo = async () => {
    const isUndone = await run(UNDO);
    if (isUndone) tellUndone(reportId);
    return isUndone;
  };
  return {
    running: isPending ? variables.command : undefined,
    failure: error && variables ? failureText(variables.command, error) : undefined,
    reset: mutation.reset,
    dialog: proof.dialog,
    run,
  };

  async function run(
    command: ConsoleCommand,
    answer: object = {},
    onFailure?: (error: unknown) => void,
  ): Promise<boolean> {
    const sentMs = Date.now();
    try {
      const data = (await mutation.mutateAsync({ command, answer }))?.data;
      // Without an outcome the session has ended, and the sign-in page follows; or no password was shown.
      if (!data?.id) return false;
      made.current = data.revision;
      const isDeleted = data.status === "deleted";
      if (isDeleted) queryClient.removeQueries({ queryKey: ["reports", "getOne"] });
      const leaves = isLeft && report !== undefined && isDecision(command.name);
      if (!leaves)
        await Promise.all([
          queryClient.invalidateQueries({
            queryKey: ["reports"],
            // The page of a deleted report is about to be left, so its query is not loaded again.
            predicate: ({ queryKey }) => !(isDeleted && queryKey[1] === "detail"),
          }),
          queryClient.invalidateQueries({ queryKey: ["deletions"] }),
          queryClient.invalidateQueries({ queryKey: ["audit-logs"] }),
        ]);
      const done = doneText(command);
      const isUndoable =
        report && isDecision(command.name) && !isDeleted && data.status !== report.status;
      if (!isUndoable) notify(done, { type: "success" });
      else {
        const untilMs = sentMs + UNDO_MS;
        const key = `${reportId} ${data.revision}`;
        notify(createElement(UndoOffer, { key, done, untilMs, undo }), {
          type: "success",
          autoHideDuration: untilMs - Date.now(),
        });
      }
      return true;
    } catch (error) {
      const outdated = isOutdated(error);
      // A dialog shows the failure itself: while it is open, keyboard and screen reader do not reach
      // the notices, which are outside.
      if (!command.asks || outdated) notify(failureText(command, error), { type: "error" });
      onFailure?.(error);
      // A deletion that waits for another admin is recorded, so the report has changed.
      const isRecorded = error instanceof ApiError && error.code === "second_admin_required";
      if (outdated || isRecorded)
        await Promise.all([
          queryClient.invalidateQueries({ queryKey: ["reports"] }),
          queryClient.invalidateQueries({ queryKey: ["deletions"] }),
        ]);
      return false;
    }
  }
}
