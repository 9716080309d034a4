import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider, useNotify } from "react-admin";
import { given } from "#contracts/given.ts";
import type {
  LiftNotice,
  ListedNotice,
  NoticeRecord,
  PassOnCounterNotice,
  RefuseNotice,
  RestoreNotice,
  TakeDownNotice,
} from "#contracts/http/admin-notices.ts";
import {
  ENDED_NOTICES,
  LIFT_REASONS,
  type LiftReason,
  NOTICE_DELETIONS,
  NOTICE_REFUSALS,
  type NoticeDeletion,
  type NoticeRefusal,
} from "#contracts/notice/notice-rules.ts";
import { isOutdated, messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { useCaseCommand } from "../shared/cases/use-case-command.ts";
import { FormDialog } from "../shared/FormDialog.tsx";
import { ReasonField } from "../shared/ReasonField.tsx";
import { useProof } from "../shared/use-proof.tsx";

/** What each decision is called, and what it does. */
const NOTICE_ACTIONS = {
  "take-down": {
    button: "Take down",
    title: "Take the material down?",
    text: "Linked reports are set under review and linked pictures are hidden. Nothing is deleted. We email the reporter and the sender of the notice.",
  },
  refuse: {
    button: "Refuse",
    title: "Refuse it?",
    text: "We email its sender the reason. What you write below is for staff only.",
  },
  lift: {
    button: "Put back",
    title: "Put the material back?",
    text: "What the notice took down is public again, unless another notice holds it. We email the reporter and the sender of the notice.",
  },
  "pass-on": {
    button: "Pass on",
    title: "Pass the counter-notice on?",
    text: "We email its number and the days to the sender of the notice. Send the copy of the counter-notice yourself.",
  },
  restore: {
    button: "Restore",
    title: "Restore the material?",
    text: "What the notice took down is public again, unless another notice holds it. We email both sides and the reporter.",
  },
} as const;
type NoticeAction = keyof typeof NOTICE_ACTIONS;

/** A decision, by the last part of its path. */
type NoticeDecision =
  | { readonly name: "take-down"; readonly body: TakeDownNotice }
  | { readonly name: "refuse"; readonly body: RefuseNotice }
  | { readonly name: "lift"; readonly body: LiftNotice }
  | { readonly name: "pass-on"; readonly body: PassOnCounterNotice }
  | { readonly name: "restore"; readonly body: RestoreNotice };

const NUMBER = /^N-[0-9A-F]{5}-[0-9A-F]{5}$/i;

/** Asks what a decision needs before it is made. */
function NoticeDialog({
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
  const { mutate, isPending, error } = useCaseCommand(
    ({ name, body }: NoticeDecision) => provider.command(`/notices/${id}/${name}`, body),
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
            isAsked && !decision ? "A number like N-7F3A9-C21B0" : "The notice it answers"
          }
        />
      )}
      {(action === "take-down" || action === "refuse") && (
        <TextField
          fullWidth
          multiline
          minRows={2}
          label="Details (optional)"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          helperText={
            action === "refuse"
              ? "For staff only"
              : "Shown to the reporter, if they have confirmed their address"
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
  return sentence ? `Email: ${sentence}` : "Kept in the history";
}

/** What can be decided about a notice now, the usual decision first. */
function actionsOf({ kind, status, targets, not_before }: NoticeRecord): readonly NoticeAction[] {
  if (kind === "counter_notice") {
    if (status === "new") return ["pass-on", "refuse"];
    if (status !== "passed_on") return [];
    const isOver = not_before !== undefined && Date.parse(not_before) <= Date.now();
    return isOver ? ["restore", "refuse"] : ["refuse"];
  }
  if (status === "taken_down" || status === "countered") return ["lift"];
  if (status !== "new" && status !== "in_work") return [];
  return targets.length > 0 ? ["take-down", "refuse"] : ["refuse"];
}

/** Buttons for the decisions. Each asks before it does anything. */
export function NoticeActions({ notice }: { readonly notice: NoticeRecord }) {
  const [open, setOpen] = useState<NoticeAction>();
  const actions = actionsOf(notice);
  if (actions.length === 0) return null;
  return (
    <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
      {actions.map((action, index) => (
        <Button
          key={action}
          variant={index === 0 && action !== "refuse" ? "contained" : "outlined"}
          onClick={() => setOpen(action)}
        >
          {NOTICE_ACTIONS[action].button}
        </Button>
      ))}
      {open && <NoticeDialog notice={notice} action={open} onClose={() => setOpen(undefined)} />}
    </Box>
  );
}

type Deletable = Pick<ListedNotice, "id" | "number" | "revision" | "status">;

/** The button that deletes a notice; nothing before it has ended. */
export function DeleteButton({
  notice,
  onClick,
}: {
  readonly notice: Deletable;
  readonly onClick: () => void;
}) {
  if (!ENDED_NOTICES.includes(notice.status)) return null;
  return (
    <Button
      color="warning"
      aria-label={`Delete ${notice.number}`}
      onClick={onClick}
      sx={{ justifySelf: "start" }}
    >
      Delete…
    </Button>
  );
}

/** Asks why before what was sent is erased for good. */
export function DeleteDialog({
  notice: { id, number, revision: listed },
  onDeleted,
  onClose,
}: {
  readonly notice: Deletable;
  readonly onDeleted?: () => void;
  readonly onClose: () => void;
}) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const proof = useProof();
  const [code, setCode] = useState("");
  /** The revision that was read after someone else was first. */
  const [read, setRead] = useState(-1);
  const [isAsked, setAsked] = useState(false);
  const readAgain = () => queryClient.invalidateQueries({ queryKey: ["notices"] });
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      proof.run(async () => {
        const body = { reason_code: code as NoticeDeletion, revision: Math.max(listed, read) };
        return provider.command(`/notices/${id}/delete`, body);
      }),
    async onSuccess(done) {
      if (!done) return;
      notify(done.message ?? "Notice deleted", { type: "success" });
      onClose();
      onDeleted?.();
      await readAgain();
    },
    async onError(failure) {
      if (!isOutdated(failure)) return;
      setRead((await provider.read<Deletable>(`/notices/${id}`)).revision);
      await readAgain();
    },
  });
  return (
    <FormDialog
      title={`Delete ${number}?`}
      consequence="Permanently erases what was sent, and its notes. Decisions stay in force. The audit log keeps that you deleted it, and why."
      confirm="Delete for good"
      cancel="Keep it"
      isFinal
      running={isPending}
      failure={error ? messageOf(error, "It failed. Please try again.") : undefined}
      proof={proof.dialog}
      onSubmit={() => {
        setAsked(true);
        if (code) mutate();
      }}
      onClose={onClose}
    >
      <ReasonField
        label="Reason for the deletion"
        reasons={Object.entries(NOTICE_DELETIONS)}
        value={code}
        onChange={setCode}
        isMissing={isAsked && !code}
        help="Kept in the audit log"
      />
    </FormDialog>
  );
}
