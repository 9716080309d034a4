import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider, useNotify } from "react-admin";
import { resolutionCommand } from "#contracts/http/resolution.ts";
import { isOutdated, messageOf } from "../../../data/api-error.ts";
import type { ConsoleDataProvider } from "../../../data/console-data-provider.ts";
import { saveFile } from "../../../shared/save-file.ts";
import { useProof } from "../../../shared/use-proof.tsx";
import type { ResolutionAction } from "./resolution-actions.ts";

/** Sends what staff decide about the RESOLVED banner of one report, one at a time. */
export function useResolution(reportId: string) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const proof = useProof();
  const [action, setAction] = useState<ResolutionAction>();
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<string>();

  const readAgain = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ["reports"] }),
      queryClient.invalidateQueries({ queryKey: ["audit-logs"] }),
    ]);
  const close = () => {
    setAction(undefined);
    setFailure(undefined);
  };
  return {
    /** What is asked for now. */
    action,
    running,
    failure,
    /** Asks for the password; to be rendered with the dialog. */
    proofDialog: proof.dialog,
    ask: setAction,
    close,
    async send(body: object): Promise<void> {
      if (!action) return;
      setRunning(true);
      setFailure(undefined);
      try {
        const sent = await proof.run(() =>
          provider.decideResolution(action.command, reportId, body),
        );
        if (!sent) return;
        await readAgain();
        close();
        notify(resolutionCommand(action.command).done, { type: "success" });
      } catch (error) {
        setFailure(messageOf(error, action.failed));
        // Somebody else was first.
        if (isOutdated(error)) await readAgain();
      } finally {
        setRunning(false);
      }
    },
    /** Opens the letter as a file of its own, which the log says first. */
    async openLetter(fileId: string): Promise<void> {
      setRunning(true);
      try {
        const file = await proof.run(() => provider.openEvidence(reportId, fileId));
        if (file) saveFile(file, `letter.${endingOf(file)}`);
        void queryClient.invalidateQueries({ queryKey: ["audit-logs"] });
      } catch (error) {
        notify(`Failed to open the letter: ${messageOf(error, "Unknown error")}`, {
          type: "error",
        });
      } finally {
        setRunning(false);
      }
    },
  };
}

/** How the name of a letter ends, by its type. */
function endingOf({ type }: Blob): string {
  return type.split("/")[1] ?? "pdf";
}
