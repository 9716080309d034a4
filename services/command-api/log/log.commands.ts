/** The commands of the operator's tools about the log as a whole. */
export type LogCommand =
  | { readonly type: "StartLog" }
  /** `erasureLedgerLost`: who was erased after the backup may be back. */
  | { readonly type: "RestoreLog"; readonly erasureLedgerLost?: true }
  | { readonly type: "LoadSamples" | "ClearSamples"; readonly reports: number };
