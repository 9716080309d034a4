/** The commands of the operator's tools about the log as a whole. */
export type LogCommand =
  | { readonly type: "StartLog" }
  | { readonly type: "RestoreLog" }
  | { readonly type: "LoadSamples" | "ClearSamples"; readonly reports: number };
