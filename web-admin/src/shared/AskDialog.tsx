import { type KeyboardEvent, type SyntheticEvent, useEffect } from "react";
import { flushSync } from "react-dom";
import { FormProvider, useForm } from "react-hook-form";
import { FormDialog, type FormDialogProps } from "./FormDialog.tsx";
import { Field, type FormField } from "./fields.tsx";
import { draftOf, keepDraft } from "./use-draft.ts";

/** What is typed, by the name of its field. */
export type Typed = Readonly<Record<string, string>>;

/** A dialog with fields. It sends what is typed in those that are shown, without spaces around it. */
export function AskDialog({
  fields,
  values = {},
  draft,
  hasKeys = false,
  onSend,
  children,
  ...dialog
}: Omit<FormDialogProps, "onKeyDown" | "onSubmit"> & {
  readonly fields: readonly FormField[] | ((now: Typed) => readonly FormField[]);
  readonly values?: Typed;
  /** Under which a long text outlives the dialog; absent where it does not. */
  readonly draft?: string;
  /** Whether the key of a numbered choice sends it too, unless more is needed. */
  readonly hasKeys?: boolean;
  /**
   * @param refuse shows one sentence for each refused field.
   * @param by the value of the button that was pressed.
   */
  readonly onSend: (typed: Typed, refuse: (sentences: Typed) => void, by: string) => void;
}) {
  const { running } = dialog;
  const fieldsOf = typeof fields === "function" ? fields : () => fields;
  const long = fieldsOf(values).find(({ isLong }) => isLong)?.source;
  const form = useForm<Typed>({
    defaultValues: { ...(draft && long && { [long]: draftOf(draft) }), ...values },
  });
  const now = form.watch();
  const text = (long && now[long]) ?? "";
  useEffect(() => {
    if (draft) keepDraft(draft, text);
  }, [draft, text]);
  const shown = fieldsOf(now);
  const send = form.handleSubmit((all, event) => {
    if (running) return;
    const typed = shown.flatMap(({ source, type }) => {
      const text = type === "password" ? all[source] : all[source]?.trim();
      return text ? [[source, text] as const] : [];
    });
    const refuse = (sentences: Typed) => {
      for (const { source } of shown)
        if (sentences[source]) form.setError(source, { message: sentences[source] });
    };
    onSend(Object.fromEntries(typed), refuse, submitterOf(event));
  });
  const press = (event: KeyboardEvent) => {
    const { target, currentTarget } = event;
    // What is typed in a dialog above this one bubbles to it too.
    const isTyping =
      target instanceof HTMLTextAreaElement || !currentTarget.contains(target as Node);
    if (isTyping || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const numbered = shown.find(({ isNumbered }) => isNumbered);
    const code = Object.keys(numbered?.choices ?? {})[Number(event.key) - 1];
    if (!numbered || !code) return;
    event.preventDefault();
    // What is needed follows from it before it is checked.
    flushSync(() => form.setValue(numbered.source, code));
    const more = fieldsOf({ ...now, [numbered.source]: code }).find(
      ({ source, needs }) => source !== numbered.source && needs,
    );
    if (more) form.setFocus(more.source);
    else if (hasKeys) void send();
  };
  const first = shown[0]?.source;
  const hasFailed = Boolean(dialog.failure) && !running;
  // The button that was pressed lost the focus while it was sent.
  useEffect(() => {
    if (hasFailed && first) form.setFocus(first);
  }, [hasFailed, first, form.setFocus]);
  return (
    <FormProvider {...form}>
      <FormDialog {...dialog} onKeyDown={press} onSubmit={(event) => void send(event)}>
        {shown.map((field, n) => (
          <Field key={field.source} field={field} autoFocus={n === 0} />
        ))}
        {children}
      </FormDialog>
    </FormProvider>
  );
}

function submitterOf(event: unknown): string {
  const { submitter } = ((event as SyntheticEvent | undefined)?.nativeEvent ?? {}) as SubmitEvent;
  return submitter instanceof HTMLButtonElement ? submitter.value : "";
}
