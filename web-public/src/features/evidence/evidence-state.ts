import type { NamedUpload, Upload } from "#contracts/http/evidence.ts";

/** A file that was added to the form. */
export interface EvidenceItem {
  readonly key: number;
  readonly name: string;
  readonly bytes: number;
  readonly file: File;
  readonly progress:
    | { readonly state: "waiting" }
    | { readonly state: "sending"; readonly share: number }
    | { readonly state: "checking" }
    /** The connection was lost; the upload will restart from the beginning by itself. */
    | { readonly state: "broken" }
    | { readonly state: "stored"; readonly upload: Upload }
    | { readonly state: "failed"; readonly problem: string; readonly retryable: boolean };
}

export type EvidenceAction =
  | { readonly type: "add"; readonly items: readonly EvidenceItem[] }
  | {
      readonly type: "progress";
      readonly key: number;
      readonly progress: EvidenceItem["progress"];
    }
  | { readonly type: "remove"; readonly key: number }
  | { readonly type: "clear" };

export function evidenceReducer(
  items: readonly EvidenceItem[],
  action: EvidenceAction,
): readonly EvidenceItem[] {
  switch (action.type) {
    case "add":
      return [...items, ...action.items];
    case "progress":
      return items.map((item) =>
        item.key === action.key ? { ...item, progress: action.progress } : item,
      );
    case "remove":
      return items.filter(({ key }) => key !== action.key);
    case "clear":
      return [];
  }
}

/** Returns the stored files for a submission, in the form's order. */
export function namedUploads(items: readonly EvidenceItem[]): NamedUpload[] {
  return items.flatMap(({ name, progress }) =>
    progress.state === "stored"
      ? [{ id: progress.upload.id, secret: progress.upload.secret, name }]
      : [],
  );
}

/** Why the form can't be sent yet; undefined if it can. */
export function evidenceProblem(items: readonly EvidenceItem[]): string | undefined {
  const states = items.map(({ progress }) => progress.state);
  if (states.includes("failed")) return "Remove the files that weren't added, or try again";
  if (states.some((state) => state !== "stored"))
    return "Wait until all files are uploaded, or remove them";
  return undefined;
}
