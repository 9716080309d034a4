import { type FormEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { ApiError } from "../../api/client.ts";
import { useAfterPress } from "../../lib/use-after-press.ts";

interface AccountFormOptions<F extends string> {
  readonly initial: Readonly<Record<F, string>>;
  /** Returns the problems with what was typed, by field, using the server's own rules. */
  readonly check: (values: Readonly<Record<F, string>>) => Problems;
  readonly send: (values: Readonly<Record<F, string>>) => Promise<void>;
  /**
   * Messages for an error without its own, and for no response. A sentence without its period stands for both: for
   * no response it goes on with advice.
   */
  readonly failed: string | { readonly refused: string; readonly unanswered: string };
  /** Prefix of the field IDs; set it if a page may have two forms. */
  readonly prefix?: string;
}

/** A field's props for its control. */
export interface FieldOfForm {
  readonly name: string;
  readonly id: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
  readonly onBlur: () => void;
}

/** Why the server rejected the request. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** Whether a field already shows the same message. */
  readonly isOfField: boolean;
}

/** Moves the focus into a form that replaced the pressed button. */
export function useFocusInside({ form }: { form: RefObject<HTMLFormElement | null> }): void {
  useEffect(() => form.current?.querySelector<HTMLElement>("input:not([hidden])")?.focus(), [form]);
}

function failureOf(failed: AccountFormOptions<string>["failed"], isAnswered: boolean): string {
  if (typeof failed !== "string") return isAnswered ? failed.refused : failed.unanswered;
  return isAnswered ? failed : `${failed}. Check your connection and try again.`;
}

/** State of a short form: values, problems, and the outcome of sending it. */
export function useAccountForm<F extends string>(options: AccountFormOptions<F>) {
  const { initial, check, send, failed, prefix = "field" } = options;
  const [values, setValues] = useState(initial);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [attempt, setAttempt] = useState(0);
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [refused, setRefused] = useState<Problems>({});
  const form = useRef<HTMLFormElement>(null);
  const afterPress = useAfterPress();
  const problems = useMemo(() => check(values), [check, values]);

  // Values typed, or autofilled by the browser, before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at the start.
  useEffect(() => {
    const typed = Object.keys(initial).flatMap((name) => {
      const control = form.current?.elements.namedItem(name) as HTMLInputElement | null;
      const isTicked = control?.type !== "checkbox" || control.checked;
      return control?.value && isTicked ? [[name, control.value]] : [];
    });
    if (typed.length > 0) setValues((before) => ({ ...before, ...Object.fromEntries(typed) }));
  }, []);
  // After each failed attempt, focus the first invalid field.
  useEffect(() => {
    if (attempt > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [attempt]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isSending) return;
    setRefusal(null);
    setRefused({});
    if (Object.keys(problems).length > 0) return setAttempt(attempt + 1);
    setSending(true);
    try {
      await send(values);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isAnswered = error.status > 0 && error.status < 500;
      const message = error.explanation ?? failureOf(failed, isAnswered);
      // Only the overall message ends with a period.
      const isOfField = Object.values(error.fields).some(
        (each) => each === message || `${each}.` === message,
      );
      setRefusal({ code: error.code, message, isOfField });
      setRefused(error.fields);
      setAttempt(attempt + 1);
    } finally {
      setSending(false);
    }
  }

  return {
    form,
    values,
    isSending,
    refusal,
    dismiss: () => setRefusal(null),
    isDirty: Object.entries(values).some(([name, value]) => value !== initial[name as F]),
    submit,
    field: (name: F): FieldOfForm => ({
      name,
      id: `${prefix}-${name}`,
      value: values[name],
      problem: attempt > 0 || left.has(name) ? (problems[name] ?? refused[name]) : refused[name],
      onChange(value) {
        setValues((before) => ({ ...before, [name]: value }));
        setRefused(({ [name]: _, ...others }) => others);
      },
      onBlur: () =>
        afterPress(() =>
          setLeft((before) => (before.has(name) ? before : new Set([...before, name]))),
        ),
    }),
  };
}
