import Button from "@mui/material/Button";
import DialogContentText from "@mui/material/DialogContentText";
import {
  Children,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useState,
} from "react";
import { RecordContextProvider } from "react-admin";
import { flushSync } from "react-dom";
import { FormProvider, useForm } from "react-hook-form";
import { PROOF_MINUTES } from "#contracts/account/deadlines.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { ApiError } from "../data/api-error.ts";
import type { CommandReply, ConsoleDataProvider } from "../data/console-data-provider.ts";
import { Dialog } from "./Dialog.tsx";
import { Field, type FormField } from "./fields.tsx";
import { Failure } from "./states.tsx";
import { type SendingOptions, useSending } from "./use-sending.ts";

interface FormDialogProps {
  readonly title: string;
  readonly consequence: ReactNode;
  readonly confirm: string;
  readonly cancel?: string;
  /** Another button that submits the form with its own value. */
  readonly another?: ReactNode;
  readonly isFinal?: boolean;
  readonly running: boolean;
  readonly failure: ReactNode;
  /** Form fields. Without any, the submit button has the focus or, if the action is final, the cancel button. */
  readonly children?: ReactNode;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly onClose: () => void;
}

/** Explains what a decision does, and asks for what it needs. */
export function FormDialog(props: FormDialogProps) {
  const { title, consequence, confirm, cancel = "Cancel", isFinal = false, running } = props;
  const isPlain = Children.toArray(props.children).length === 0;
  return (
    <Dialog
      title={title}
      onClose={running ? undefined : props.onClose}
      hasFields={!isPlain}
      // An explicit `undefined` would override the dialog's own handler, which closes it with Esc.
      {...omitUndefined({ onKeyDown: props.onKeyDown })}
      form={{
        onKeyDown: sendByKey,
        onSubmit(event) {
          event.preventDefault();
          props.onSubmit(event);
        },
      }}
      actions={
        <>
          <Button onClick={props.onClose} disabled={running} autoFocus={isPlain && isFinal}>
            {cancel}
          </Button>
          {props.another}
          <Button
            type="submit"
            variant="contained"
            color={isFinal ? "warning" : "primary"}
            loading={running}
            autoFocus={isPlain && !isFinal}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <DialogContentText sx={{ whiteSpace: "pre-line" }}>{consequence}</DialogContentText>
      {/* No record: react-admin would fill the fields with values of the surrounding one. */}
      <RecordContextProvider>{props.children}</RecordContextProvider>
      <Failure>{props.failure}</Failure>
    </Dialog>
  );
}

/**
 * Submits the form with Ctrl+Enter or Command+Enter, even from a multiline field, using its first submit button as
 * Enter does.
 */
export function sendByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  const form = event.currentTarget;
  form.requestSubmit(form.querySelector<HTMLElement>("[type=submit]"));
}

/** Only in this tab's memory: drafts may contain names. */
const drafts = new Map<string, string>();

/**
 * A text that outlives its field or dialog until it is cleared.
 * @param key identifies the draft.
 */
export function useDraft(key: string): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => draftOf(key));
  return [
    text,
    (next) => {
      keepDraft(key, next);
      setText(next);
    },
  ];
}

function draftOf(key: string | undefined): string {
  return (key && drafts.get(key)) ?? "";
}

/** Stores a draft; an empty text deletes it, which is required after sending. */
export function keepDraft(key: string, text: string): void {
  if (text) drafts.set(key, text);
  else drafts.delete(key);
}

/** Typed values by field name. */
export type Typed = Readonly<Record<string, string>>;

interface AskDialogProps extends Omit<FormDialogProps, "onKeyDown" | "onSubmit"> {
  readonly fields: readonly FormField[] | ((now: Typed) => readonly FormField[]);
  readonly values?: Typed;
  /** Key under which a long text outlives the dialog, if it should. */
  readonly draft?: string;
  /** Whether the key of a numbered choice also submits, unless more input is needed. */
  readonly hasKeys?: boolean;
  /**
   * @param refuse shows one message for each rejected field.
   * @param by the value of the button that was pressed.
   */
  readonly onSend: (typed: Typed, refuse: (sentences: Typed) => void, by: string) => void;
}

/** A dialog with fields. Sends the values of visible fields, trimmed. */
export function AskDialog({
  fields,
  values = {},
  draft,
  hasKeys = false,
  onSend,
  children,
  ...dialog
}: AskDialogProps) {
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
    const isTyping = event.target instanceof HTMLTextAreaElement;
    if (isTyping || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const numbered = shown.find(({ isNumbered }) => isNumbered);
    const code = Object.keys(numbered?.choices ?? {})[Number(event.key) - 1];
    if (!numbered || !code) return;
    event.preventDefault();
    // Applied synchronously, because the required fields depend on it.
    flushSync(() => form.setValue(numbered.source, code));
    const more = fieldsOf({ ...now, [numbered.source]: code }).find(
      ({ source, needs }) => source !== numbered.source && needs,
    );
    if (more) form.setFocus(more.source);
    else if (hasKeys) void send();
  };
  const first = shown[0]?.source;
  const hasFailed = Boolean(dialog.failure) && !running;
  // The pressed button lost the focus while it was disabled.
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

/** An `AskDialog` that sends a command and closes on success. Rejected fields show their messages. */
export function SendDialog<Answer extends CommandReply>(
  props: Omit<AskDialogProps, "fields" | "onSend" | "running" | "failure"> &
    Partial<Pick<AskDialogProps, "fields">> &
    SendingOptions<Answer> & {
      readonly send: (provider: ConsoleDataProvider, typed: Typed) => Promise<Answer>;
    },
) {
  const { send, again, tells, failed, refetchFirst, onDone, onRefused, ...dialog } = props;
  const { mutate, isPending, failure } = useSending(send, {
    again,
    ...omitUndefined({ tells, failed, refetchFirst, onRefused }),
    onDone(answer) {
      onDone?.(answer);
      props.onClose();
    },
  });
  return (
    <AskDialog
      fields={[]}
      {...dialog}
      running={isPending}
      failure={failure}
      onSend={(typed, refuse) =>
        mutate(typed, { onError: (error) => error instanceof ApiError && refuse(error.fields) })
      }
    />
  );
}

const PASSWORD: readonly FormField[] = [
  { source: "password", label: "Password", type: "password", needs: "Enter your password" },
];

/** Asks for the password when the server requires it again. */
export function ProofDialog({ onAnswer }: { readonly onAnswer: (isShown: boolean) => void }) {
  return (
    <SendDialog
      title="Enter your password again"
      consequence={`For your security, confirm your password. This step requires it every ${PROOF_MINUTES} minutes.`}
      confirm="Continue"
      fields={PASSWORD}
      send={(provider, typed) => provider.command("/prod/api/auth/prove", typed)}
      again={[]}
      tells="nothing"
      failed="Couldn't check the password. Try again."
      onDone={() => onAnswer(true)}
      onClose={() => onAnswer(false)}
    />
  );
}
