import { useEffect } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { FormDialog, type FormDialogProps } from "./FormDialog.tsx";
import { Field, type FormField } from "./fields.tsx";

/** What is typed, by the name of its field. */
export type Typed = Readonly<Record<string, string>>;

/** A dialog with fields. It sends what is typed in those that are shown, without spaces around it. */
export function AskDialog({
  fields,
  values = {},
  onSend,
  ...dialog
}: Omit<FormDialogProps, "children" | "onSubmit"> & {
  readonly fields: readonly FormField[] | ((now: Typed) => readonly FormField[]);
  readonly values?: Typed;
  /** @param refuse shows one sentence for each refused field. */
  readonly onSend: (typed: Typed, refuse: (sentences: Typed) => void) => void;
}) {
  const { running } = dialog;
  const form = useForm<Typed>({ defaultValues: values });
  const now = form.watch();
  const shown = typeof fields === "function" ? fields(now) : fields;
  const send = form.handleSubmit((all) => {
    if (running) return;
    const typed = shown.flatMap(({ source, type }) => {
      const text = type === "password" ? all[source] : all[source]?.trim();
      return text ? [[source, text] as const] : [];
    });
    onSend(Object.fromEntries(typed), (sentences) => {
      for (const { source } of shown)
        if (sentences[source]) form.setError(source, { message: sentences[source] });
    });
  });
  const first = shown[0]?.source;
  const hasFailed = Boolean(dialog.failure) && !running;
  // The button that was pressed lost the focus while it was sent.
  useEffect(() => {
    if (hasFailed && first) form.setFocus(first);
  }, [hasFailed, first, form.setFocus]);
  return (
    <FormProvider {...form}>
      <FormDialog {...dialog} onSubmit={() => void send()}>
        {shown.map((field, n) => (
          <Field key={field.source} field={field} autoFocus={n === 0} />
        ))}
      </FormDialog>
    </FormProvider>
  );
}
