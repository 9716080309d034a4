import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type PathValue,
  type Resolver,
  useForm,
} from "react-hook-form";
import { ApiError } from "../../data/api-error.ts";

/**
 * A form, checked as the server checks it.
 * @param problemsOf one sentence for each field that the server would refuse; absent where the fields say so themselves.
 */
export function useCheckedForm<T extends FieldValues>(
  defaultValues: T,
  problemsOf?: (values: T) => Partial<Record<keyof T & string, string>>,
) {
  const resolver: Resolver<T> = (values) => {
    const problems = Object.entries(problemsOf?.(values) ?? {});
    if (problems.length === 0) return { values, errors: {} };
    const errors = problems.map(([name, message]) => [name, { type: "validate", message }]);
    return { values: {}, errors: Object.fromEntries(errors) };
  };
  const form = useForm<T>({
    defaultValues: defaultValues as DefaultValues<T>,
    ...(problemsOf && { resolver }),
    mode: "onTouched",
  });
  return {
    ...form,
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
      const named = Object.entries(fields).filter(([name]) => name in defaultValues);
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
