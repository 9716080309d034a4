import { useEffect, useState } from "react";
import { useWarnWhenUnsavedChanges } from "react-admin";
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type PathValue,
  type Resolver,
  set,
  useForm,
} from "react-hook-form";
import { useNavigate } from "react-router-dom";
import { ApiError } from "../../data/api-error.ts";

/**
 * A form with the same validation as the server. Leaving it with unsaved changes asks for confirmation.
 * @param problemsOf returns one message for each invalid field, by path (`chargebacks.0.date`); absent if the fields
 *   validate themselves.
 */
export function useCheckedForm<T extends FieldValues>(
  defaultValues: T,
  problemsOf?: (values: T) => Readonly<Partial<Record<string, string>>>,
) {
  const resolver: Resolver<T> = (values) => {
    const problems = Object.entries(problemsOf?.(values) ?? {});
    if (problems.length === 0) return { values, errors: {} };
    const errors: FieldErrors<T> = {};
    for (const [path, message] of problems) set(errors, path, { type: "validate", message });
    return { values: {}, errors };
  };
  const form = useForm<T>({
    defaultValues: defaultValues as DefaultValues<T>,
    ...(problemsOf && { resolver }),
    mode: "onTouched",
  });
  const [left, setLeft] = useState<{ readonly to: string; readonly replace: boolean }>();
  const navigate = useNavigate();
  useWarnWhenUnsavedChanges(left === undefined, undefined, form.control as never);
  useEffect(() => {
    if (left) navigate(left.to, left);
  }, [left, navigate]);
  return {
    ...form,
    /** Leaves the page without asking: everything is saved, or deleted. */
    leave: (to: string, replace = false) => setLeft({ to, replace }),
    /** Validates the form and focuses the first invalid field. Resolves with whether it is valid. */
    check: () => form.trigger(undefined, { shouldFocus: true }),
    /** Resets the form to other values, keeping the fields in `kept` as unsaved changes. */
    rebase(values: T, kept: Partial<T> = {}): void {
      form.reset(values);
      for (const [name, value] of Object.entries(kept))
        form.setValue(name as Path<T>, value as PathValue<T, Path<T>>, { shouldDirty: true });
    },
    /** Shows a rejection at the fields it names. @returns whether any of them is in this form. */
    refuse(error: unknown): boolean {
      const fields = error instanceof ApiError ? error.fields : {};
      const named = Object.entries(fields).filter(
        ([path]) => (path.split(".")[0] ?? "") in defaultValues,
      );
      for (const [index, [name, message]] of named.entries())
        form.setError(name as Path<T>, { type: "server", message }, { shouldFocus: index === 0 });
      return named.length > 0;
    },
  };
}

/** Returns the fields whose values differ from `before`, with their current values. */
export function typedSince<T extends object>(before: T, now: T): Partial<T> {
  const names = Object.keys(now) as (keyof T)[];
  return Object.fromEntries(
    names.filter((name) => now[name] !== before[name]).map((name) => [name, now[name]]),
  ) as Partial<T>;
}
