import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createElement, useRef } from "react";
import { useNotify } from "react-admin";
import { isDecision } from "#contracts/http/moderation.ts";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { UNDO_MS } from "#contracts/report/reporter-rules.ts";
import { ApiError, isOutdated } from "../data/api-error.ts";
import { useProvider } from "../shared/reads.ts";
import { failureText } from "./labels.ts";
import { type ConsoleCommand, UNDO } from "./report-commands.ts";
import { announceUndone, UndoOffer } from "./UndoOffer.tsx";

/** First key parts of queries that show report data. */
export const SHOWN_IN: readonly string[] = ["reports", "deletions", "audit-logs", "queue"];

export type CommandSender = ReturnType<typeof useCommand>;

interface Sent {
  readonly command: ConsoleCommand;
  readonly answer: object;
}

/**
 * Sends commands about a report, one at a time. Waits for the server each time, then refetches what may have changed.
 * Also refetches if a command is rejected because the report was changed in the meantime.
 * @param report as shown. A decision applies to exactly this revision: it is rejected if someone else has changed the
 *   report since. A decision comes with an offer to undo it. Absent where nothing is decided.
 * @param isLeft whether the page leaves the report after a decision, and then refetches itself.
 */
export function useCommand(
  reportId: string,
  report?: Pick<AdminReport, "status" | "revision">,
  isLeft = false,
) {
  const provider = useProvider();
  const queryClient = useQueryClient();
  const notify = useNotify();
  /** The revision created by this moderator's last command, until the report is refetched. */
  const made = useRef(-1);
  const decides = ({ name }: ConsoleCommand) => report !== undefined && isDecision(name);
  const seen = (command: ConsoleCommand) =>
    report && decides(command) ? { revision: Math.max(report.revision, made.current) } : {};
  /** @param isDeleted whether the report's page is about to be left, so that its query is not refetched. */
  const readAgain = (isDeleted = false) =>
    queryClient.invalidateQueries({
      predicate: ({ queryKey: [name, kind] }) =>
        SHOWN_IN.includes(String(name)) && !(isDeleted && kind === "getOne"),
    });
  const mutation = useMutation({
    mutationFn({ command, answer }: Sent) {
      const body = { ...command.body, ...answer, ...seen(command) };
      return provider.moderate(command.name, reportId, body);
    },
  });
  const { isPending, error, variables } = mutation;
  const undo = async () => {
    const isUndone = await run(UNDO);
    if (isUndone) announceUndone(reportId);
    return isUndone;
  };
  return {
    running: isPending ? variables.command : undefined,
    /** Why the last run failed; undefined while another one is running. */
    failure: error && variables ? failureText(variables.command, error) : undefined,
    reset: mutation.reset,
    run,
  };

  /**
   * Sends a command and notifies the user of the outcome.
   * @param answer the part of the body that the dialog asked for.
   * @param onFailure also called with the error.
   * @returns true once the command is done and the screens are up to date.
   */
  async function run(
    command: ConsoleCommand,
    answer: object = {},
    onFailure?: (error: unknown) => void,
  ): Promise<boolean> {
    const sentMs = Date.now();
    try {
      const { data, message } = await mutation.mutateAsync({ command, answer });
      // No result means the session has ended; the sign-in page follows.
      if (!data?.id) return false;
      made.current = data.revision;
      const isDeleted = data.status === "deleted";
      // The report stays on the screen until the page is left.
      if (isDeleted)
        queryClient.removeQueries({
          queryKey: ["reports", "getOne", { id: data.id }],
          type: "inactive",
        });
      if (!(isLeft && decides(command))) await readAgain(isDeleted);
      const done = command.done ?? message ?? "Done";
      const isUndoable = decides(command) && !isDeleted && data.status !== report?.status;
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
      // A dialog shows the failure itself: while it is open, keyboard and screen reader can't reach the notices
      // outside it.
      if (!command.asks || outdated) notify(failureText(command, error), { type: "error" });
      onFailure?.(error);
      // A deletion awaiting another admin is recorded, so the report has changed.
      const isRecorded = error instanceof ApiError && error.code === "second_admin_required";
      if (outdated || isRecorded) await readAgain();
      return false;
    }
  }
}
