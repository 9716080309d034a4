/** What the operator's tools may ask of the log as a whole. */
export type LogCommand =
  | { readonly type: "StartLog" }
  | { readonly type: "RestoreLog" }
  | { readonly type: "LoadSamples" | "ClearSamples"; readonly reports: number };
