import type { ContentKind } from "#contracts/content/content-rules.ts";
import { useCheckedForm } from "../shared/use-checked-form.ts";
import { type TextValues, textProblems } from "./text-values.ts";

/** The form of a text's words, checked as the server checks them. */
export function useTextForm(kind: ContentKind, defaultValues: TextValues) {
  return useCheckedForm<TextValues>(defaultValues, (values) => textProblems(kind, values));
}
