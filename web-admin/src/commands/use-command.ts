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
import { tellUndone, UndoOffer } from "./UndoOffer.tsx";

/** First parts of the keys of the queries that show something of a report. */
export const SHOWN_IN: readonly string[] = ["reports", "deletions", "audit-logs", "queue"];

export type CommandSender = ReturnType<typeof useCommand>;

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
) {
  const provider = useProvider();
  const queryClient = useQueryClient();
  const notify = useNotify();
  /** The revision that this moderator's last command made, until the report is read again. */
  const made = useRef(-1);
  const decides = ({ name }: ConsoleCommand) => report !== undefined && isDecision(name);
  const seen = (command: ConsoleCommand) =>
    report && decides(command) ? { revision: Math.max(report.revision, made.current) } : {};
  /** @param isDeleted whether the report's page is about to be left, so that its query is not loaded again. */
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
    if (isUndone) tellUndone(reportId);
    return isUndone;
  };
  return {
    running: isPending ? variables.command : undefined,
    /** Why the last run failed; undefined while another one runs. */
    failure: error && variables ? failureText(variables.command, error) : undefined,
    reset: mutation.reset,
    run,
  };

  /**
   * Sends a command and says how it went.
   * @param answer the part of the body that was asked for.
   * @param onFailure called with the error as well.
   * @returns true when the command is done and the screens are up to date.
   */
  async function run(
    command: ConsoleCommand,
    answer: object = {},
    onFailure?: (error: unknown) => void,
  ): Promise<boolean> {
    const sentMs = Date.now();
    try {
      const { data, message } = await mutation.mutateAsync({ command, answer });
      // Without an outcome the session has ended, and the sign-in page follows.
      if (!data?.id) return false;
      made.current = data.revision;
      const isDeleted = data.status === "deleted";
      // The report on the screen stays until the page is left.
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
      // A dialog shows the failure itself: while it is open, keyboard and screen reader do not reach
      // the notices, which are outside.
      if (!command.asks || outdated) notify(failureText(command, error), { type: "error" });
      onFailure?.(error);
      // A deletion that waits for another admin is recorded, so the report has changed.
      const isRecorded = error instanceof ApiError && error.code === "second_admin_required";
      if (outdated || isRecorded) await readAgain();
      return false;
    }
  }
}
