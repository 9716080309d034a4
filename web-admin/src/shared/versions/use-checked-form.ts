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
 * A form, checked as the server checks it. Who leaves it is asked while something that was typed is not saved.
 * @param problemsOf one sentence for each field that the server would refuse, by its path (`chargebacks.0.date`);
 *   absent where the fields say so themselves.
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
    /** Leaves the page without a question: all is saved, or gone. */
    leave: (to: string, replace = false) => setLeft({ to, replace }),
    /** Whether everything is valid; leads to the first field that is not. */
    check: () => form.trigger(undefined, { shouldFocus: true }),
    /** Goes on from other values. The fields that are kept hold what is typed, which is not saved. */
    rebase(values: T, kept: Partial<T> = {}): void {
      form.reset(values);
      for (const [name, value] of Object.entries(kept))
        form.setValue(name as Path<T>, value as PathValue<T, Path<T>>, { shouldDirty: true });
    },
    /** Shows a refusal at its fields. @returns whether it named one of the form's. */
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

/** The fields that were typed in since they had these values, as they are now. */
export function typedSince<T extends object>(before: T, now: T): Partial<T> {
  const names = Object.keys(now) as (keyof T)[];
  return Object.fromEntries(
    names.filter((name) => now[name] !== before[name]).map((name) => [name, now[name]]),
  ) as Partial<T>;
}
