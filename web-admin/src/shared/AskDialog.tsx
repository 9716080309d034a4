import MenuItem from "@mui/material/MenuItem";
import { useEffect } from "react";
import { TextInput } from "react-admin";
import { FormProvider, useForm, useWatch } from "react-hook-form";
import { FormDialog, type FormDialogProps } from "./FormDialog.tsx";

/** What is typed, by the name of its field. */
export type Typed = Readonly<Record<string, string>>;

/** A field of a dialog. */
export interface AskedField {
  readonly source: string;
  readonly label: string;
  readonly max?: number;
  readonly type?: "email" | "date" | "password";
  /** Words by code. */
  readonly choices?: Readonly<Record<string, string>>;
  readonly isLong?: true;
  readonly help?: string | ((typed: string) => string);
  /** What is said where what is typed does not fit `like`, else is missing; without it, the field may be empty. */
  readonly needs?: string | undefined;
  readonly like?: RegExp;
}

/** A dialog with fields. It sends what is typed in those that are shown, without spaces around it. */
export function AskDialog({
  fields,
  values = {},
  onSend,
  ...dialog
}: Omit<FormDialogProps, "children" | "onSubmit"> & {
  readonly fields: readonly AskedField[] | ((now: Typed) => readonly AskedField[]);
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
          <Field key={field.source} field={field} isFirst={n === 0} />
        ))}
      </FormDialog>
    </FormProvider>
  );
}

function Field({ field, isFirst }: { readonly field: AskedField; readonly isFirst: boolean }) {
  const { source, label, max, type = "text", choices, isLong, help, needs, like = /./ } = field;
  const typed: string = useWatch({ name: source }) ?? "";
  return (
    <TextInput
      source={source}
      label={label}
      type={type}
      fullWidth
      autoFocus={isFirst}
      autoComplete={type === "password" ? "current-password" : "off"}
      required={needs !== undefined}
      validate={(value?: string | null) => (like.test((value ?? "").trim()) ? undefined : needs)}
      helperText={(typeof help === "function" ? help(typed) : help) ?? false}
      multiline={isLong ?? false}
      minRows={isLong && 3}
      select={choices !== undefined}
      slotProps={{
        htmlInput: { maxLength: max },
        ...(type === "date" ? { inputLabel: { shrink: true } } : {}),
      }}
    >
      {Object.entries(choices ?? {}).map(([code, words]) => (
        <MenuItem key={code} value={code}>
          {words}
        </MenuItem>
      ))}
    </TextInput>
  );
}
