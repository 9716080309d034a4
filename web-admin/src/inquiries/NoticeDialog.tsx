import TextField from "@mui/material/TextField";
import { useState } from "react";
import { useDataProvider } from "react-admin";
import { given } from "#contracts/given.ts";
import type { NoticeRecord } from "#contracts/http/admin-notices.ts";
import {
  LIFT_REASONS,
  type LiftReason,
  NOTICE_REFUSALS,
  type NoticeRefusal,
} from "#contracts/notice/notice-rules.ts";
import { messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import type { NoticeDecision } from "../data/notice-calls.ts";
import { FormDialog } from "../shared/FormDialog.tsx";
import { ReasonField } from "../shared/ReasonField.tsx";
import { useInquiryCommand } from "./use-inquiry-command.ts";

/** What each decision is called, and what it does. */
export const NOTICE_ACTIONS = {
  "take-down": {
    button: "Take down",
    title: "Take the material down?",
    text: "Linked reports are set under review and linked pictures are hidden. Nothing is deleted. The reporter and the sender of the notice are mailed.",
  },
  refuse: {
    button: "Refuse",
    title: "Refuse it?",
    text: "Its sender is mailed the sentence of the reason. What you write below is for staff.",
  },
  lift: {
    button: "Put back",
    title: "Put the material back?",
    text: "What the notice took down is public again, unless another notice holds it. The reporter and the sender of the notice are mailed.",
  },
  "pass-on": {
    button: "Pass on",
    title: "Pass the counter-notice on?",
    text: "The sender of the notice is mailed its number and the days. Send the copy of the counter-notice yourself.",
  },
  restore: {
    button: "Restore",
    title: "Restore the material?",
    text: "What the notice took down is public again, unless another notice holds it. Both sides and the reporter are mailed.",
  },
} as const;
export type NoticeAction = keyof typeof NOTICE_ACTIONS;

const NUMBER = /^N-[0-9A-F]{5}-[0-9A-F]{5}$/i;

/** Asks what a decision needs before it is made. */
export function NoticeDialog({
  notice: { id, kind, revision },
  action,
  onClose,
}: {
  readonly notice: NoticeRecord;
  readonly action: NoticeAction;
  readonly onClose: () => void;
}) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const [code, setCode] = useState("");
  const [typed, setTyped] = useState("");
  const [isAsked, setAsked] = useState(false);
  const text = typed.trim() || undefined;
  const { mutate, isPending, error } = useInquiryCommand(
    (decision: NoticeDecision) => provider.decideNotice(id, decision),
    onClose,
    ["notices", "reports"],
  );
  const decision = decisionOf(action, { code, text, revision });
  const { title, text: consequence, button } = NOTICE_ACTIONS[action];
  const reasons = reasonsOf(action, kind);
  return (
    <FormDialog
      title={title}
      consequence={consequence}
      confirm={button}
      running={isPending}
      failure={error ? messageOf(error, "It failed. Please try again.") : undefined}
      onSubmit={() => {
        setAsked(true);
        if (decision) mutate(decision);
      }}
      onClose={onClose}
    >
      {reasons.length > 0 && (
        <ReasonField
          label="Reason"
          reasons={reasons}
          value={code}
          onChange={setCode}
          isMissing={isAsked && !code}
          help={sentenceOf(action, code)}
        />
      )}
      {action === "pass-on" && (
        <TextField
          fullWidth
          autoFocus
          label="Number of the notice"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          error={isAsked && !decision}
          helperText={
            isAsked && !decision ? "A number like N-7F3A9-C21B0" : "The notice that it answers"
          }
        />
      )}
      {(action === "take-down" || action === "refuse") && (
        <TextField
          fullWidth
          multiline
          minRows={2}
          label="In words, if need be"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          helperText={
            action === "refuse"
              ? "For staff only"
              : "A reporter who has confirmed the address reads it"
          }
          slotProps={{ htmlInput: { maxLength: 1000 } }}
        />
      )}
    </FormDialog>
  );
}

/** The decision; undefined while something is missing. */
function decisionOf(
  action: NoticeAction,
  {
    code,
    text,
    revision,
  }: {
    readonly code: string;
    readonly text: string | undefined;
    readonly revision: number;
  },
): NoticeDecision | undefined {
  const reason = given({ reason: text });
  switch (action) {
    case "take-down":
      return { name: action, body: { ...reason, revision } };
    case "refuse": {
      const reason_code = code as NoticeRefusal;
      return code ? { name: action, body: { reason_code, ...reason, revision } } : undefined;
    }
    case "lift":
      return code
        ? { name: action, body: { reason_code: code as LiftReason, revision } }
        : undefined;
    case "pass-on":
      return text && NUMBER.test(text)
        ? { name: action, body: { notice: text, revision } }
        : undefined;
    case "restore":
      return { name: action, body: { revision } };
  }
}

/** Codes and labels of the reasons that fit. */
function reasonsOf(
  action: NoticeAction,
  kind: NoticeRecord["kind"],
): readonly (readonly [string, string])[] {
  if (action === "lift") return Object.entries(LIFT_REASONS);
  if (action !== "refuse") return [];
  const unfit = kind === "counter_notice" ? "not_owner" : "court_action";
  return Object.entries(NOTICE_REFUSALS)
    .filter(([code]) => code !== unfit)
    .map(([code, { label }]) => [code, label] as const);
}

/** What the sender reads. */
function sentenceOf(action: NoticeAction, code: string): string {
  const rows: Readonly<Record<string, { readonly sentence: string }>> = NOTICE_REFUSALS;
  const sentence = action === "refuse" ? rows[code]?.sentence : undefined;
  return sentence ? `Mailed: ${sentence}` : "Kept in the history";
}
