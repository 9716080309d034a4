import { type FormEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { ApiError } from "../../api/client.ts";
import { useAfterPress } from "../../lib/use-after-press.ts";

interface AccountFormOptions<F extends string> {
  readonly initial: Readonly<Record<F, string>>;
  /** What is wrong with what was typed, by field: the server's own rule. */
  readonly check: (values: Readonly<Record<F, string>>) => Problems;
  readonly send: (values: Readonly<Record<F, string>>) => Promise<void>;
  /** The sentence for a refusal that has none, and for no answer. */
  readonly failed: { readonly refused: string; readonly unanswered: string };
  /** Begins the ids of its fields; another one where two forms may be on a page. */
  readonly prefix?: string;
}

/** A field as its control needs it. */
export interface FieldOfForm {
  readonly name: string;
  readonly id: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
  readonly onBlur: () => void;
}

/** Why the server did not do what was asked. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** Whether a field says the same. */
  readonly isOfField: boolean;
}

/** Moves the focus into a form that took the place of what was pressed. */
export function useFocusInside({ form }: { form: RefObject<HTMLFormElement | null> }): void {
  useEffect(() => form.current?.querySelector<HTMLElement>("input:not([hidden])")?.focus(), [form]);
}

/** A form of a few fields: what was typed, what is wrong with it, and what came of sending it. */
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

  // What was typed, or filled in by the browser, before the page's scripts were there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at the start.
  useEffect(() => {
    const typed = Object.keys(initial).flatMap((name) => {
      const control = form.current?.elements.namedItem(name) as HTMLInputElement | null;
      const isTicked = control?.type !== "checkbox" || control.checked;
      return control?.value && isTicked ? [[name, control.value]] : [];
    });
    if (typed.length > 0) setValues((before) => ({ ...before, ...Object.fromEntries(typed) }));
  }, []);
  // Each try that is not sent, or is refused for a field, leads to the first field that is wrong.
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
      const message = error.explanation ?? (isAnswered ? failed.refused : failed.unanswered);
      // Only the sentence of the whole refusal ends with a period.
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
