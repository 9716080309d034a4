import type { LogEvent } from "#contracts/events/index.ts";
import type { LogState } from "#contracts/events/log.ts";

/** Commands of the operator's tools about the log as a whole. */
export type LogCommand =
  | { readonly type: "StartLog" }
  /** `erasureLedgerLost`: people erased after the backup may be back. */
  | { readonly type: "RestoreLog"; readonly erasureLedgerLost?: true }
  | { readonly type: "LoadSamples" | "ClearSamples"; readonly reports: number };

/** Decides all commands about the log as a whole. */
export function decideLog(state: LogState | undefined, command: LogCommand): LogEvent[] {
  switch (command.type) {
    case "StartLog":
      return state ? [] : [{ type: "LogStarted", data: {} }];
    case "RestoreLog":
      // Each restore starts a new epoch.
      return [
        {
          type: "LogRestored",
          data: command.erasureLedgerLost ? { erasure_ledger_lost: true } : {},
        },
      ];
    case "LoadSamples":
      if (state?.samples === "loaded") return [];
      return [{ type: "SamplesLoaded", data: { reports: command.reports } }];
    case "ClearSamples":
      return [{ type: "SamplesCleared", data: { reports: command.reports } }];
  }
}
