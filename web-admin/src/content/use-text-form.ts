import { type Resolver, useForm } from "react-hook-form";
import type { ContentKind } from "#contracts/content/content-rules.ts";
import { ApiError } from "../data/api-error.ts";
import { type TextValues, textProblems } from "./text-values.ts";

/** The form of a text's words, checked as the server checks them. */
export function useTextForm(kind: ContentKind, defaultValues: TextValues) {
  const resolver: Resolver<TextValues> = (values) => {
    const problems = Object.entries(textProblems(kind, values));
    if (problems.length === 0) return { values, errors: {} };
    const errors = problems.map(([name, message]) => [name, { type: "validate", message }]);
    return { values: {}, errors: Object.fromEntries(errors) };
  };
  const form = useForm<TextValues>({ defaultValues, resolver, mode: "onTouched" });
  return {
    ...form,
    /** Whether everything is valid; leads to the first field that is not. */
    check: () => form.trigger(undefined, { shouldFocus: true }),
    /** Goes on from other values. The fields that are kept hold what is typed, which is not saved. */
    rebase(values: TextValues, kept: Partial<TextValues> = {}): void {
      form.reset(values);
      for (const [name, value] of Object.entries(kept))
        form.setValue(name as keyof TextValues, value, { shouldDirty: true });
    },
    /** Shows a refusal at its fields. @returns whether it named one of the form's. */
    refuse(error: unknown): boolean {
      const fields = error instanceof ApiError ? error.fields : {};
      const named = Object.entries(fields).filter(([name]) => name in defaultValues);
      for (const [index, [name, message]] of named.entries())
        form.setError(
          name as keyof TextValues,
          { type: "server", message },
          { shouldFocus: index === 0 },
        );
      return named.length > 0;
    },
  };
}
