import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import type { ListedNotice, NoticeRecord } from "#contracts/http/admin-notices.ts";
import {
  ENDED_NOTICES,
  LIFT_REASONS,
  NOTICE_DELETIONS,
  NOTICE_REFUSALS,
} from "#contracts/notice/notice-rules.ts";
import { isOutdated } from "../data/api-error.ts";
import { SendDialog } from "../shared/AskDialog.tsx";
import type { FormField } from "../shared/fields.tsx";
import { useProvider } from "../shared/reads.ts";

const REASON = { source: "reason_code", label: "Reason", needs: "Choose a reason" } as const;
const DETAILS = {
  source: "reason",
  label: "Details (optional)",
  isLong: true,
  max: 1000,
} as const;

function refusalOf(kind: NoticeRecord["kind"]): FormField {
  const unfit = kind === "counter_notice" ? "not_owner" : "court_action";
  const fit = Object.entries(NOTICE_REFUSALS).filter(([code]) => code !== unfit);
  const sentences = new Map<string, string>(fit.map(([code, { sentence }]) => [code, sentence]));
  return {
    ...REASON,
    choices: Object.fromEntries(fit.map(([code, { label }]) => [code, label])),
    help: (code) => (sentences.has(code) ? `Email: ${sentences.get(code)}` : "Kept in the history"),
  };
}

interface Decision {
  readonly button: string;
  readonly title: string;
  readonly text: string;
  readonly fields?: (kind: NoticeRecord["kind"]) => readonly FormField[];
}

/** The decisions by the last segment of their path. */
const DECISIONS = {
  "take-down": {
    button: "Take down",
    title: "Take the material down?",
    text: "Linked reports are set under review and linked pictures are hidden. Nothing is deleted. We'll email the reporter and the sender of the notice.",
    fields: () => [
      { ...DETAILS, help: "Shown to the reporter, if they have confirmed their address" },
    ],
  },
  refuse: {
    button: "Refuse",
    title: "Refuse this notice?",
    text: "We'll email its sender the reason. What you write below is for staff only.",
    fields: (kind) => [refusalOf(kind), { ...DETAILS, help: "For staff only" }],
  },
  lift: {
    button: "Restore",
    title: "Restore the material?",
    text: "What the notice took down will be public again, unless another notice still applies to it. We'll email the reporter and the sender of the notice.",
    fields: () => [{ ...REASON, choices: LIFT_REASONS, help: "Kept in the history" }],
  },
  "pass-on": {
    button: "Forward",
    title: "Forward the counter-notice?",
    text: "We'll email the sender of the notice the counter-notice's number and the waiting period. Send the copy of the counter-notice yourself.",
    fields: () => [
      {
        source: "notice",
        label: "Notice number",
        help: "The notice it answers",
        needs: "A number like N-7F3A9-C21B0",
        like: /^N-[0-9A-F]{5}-[0-9A-F]{5}$/i,
      },
    ],
  },
  restore: {
    button: "Restore",
    title: "Restore the material?",
    text: "What the notice took down will be public again, unless another notice still applies to it. We'll email both sides and the reporter.",
  },
} as const satisfies Record<string, Decision>;
type NoticeAction = keyof typeof DECISIONS;

function NoticeDialog({
  notice: { id, kind, revision },
  action,
  onClose,
}: {
  readonly notice: NoticeRecord;
  readonly action: NoticeAction;
  readonly onClose: () => void;
}) {
  const { title, text, button, fields }: Decision = DECISIONS[action];
  return (
    <SendDialog
      title={title}
      consequence={text}
      confirm={button}
      fields={fields?.(kind) ?? []}
      send={(provider, typed) =>
        provider.command(`/notices/${id}/${action}`, { ...typed, revision })
      }
      again={["notices", "reports"]}
      failed="Couldn't save the decision. Try again."
      onClose={onClose}
    />
  );
}

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

/** Buttons for the decisions. Each asks for confirmation. */
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
          {DECISIONS[action].button}
        </Button>
      ))}
      {open && <NoticeDialog notice={notice} action={open} onClose={() => setOpen(undefined)} />}
    </Box>
  );
}

type Deletable = Pick<ListedNotice, "id" | "number" | "revision" | "status">;

/** The button that deletes a notice; not shown until the notice has ended. */
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

/** Asks for a reason before the notice's content is permanently erased. */
export function DeleteDialog({
  notice: { id, number, revision: listed },
  onDeleted,
  onClose,
}: {
  readonly notice: Deletable;
  readonly onDeleted?: () => void;
  readonly onClose: () => void;
}) {
  const provider = useProvider();
  /** The current revision, fetched after someone else changed the notice first. */
  const [read, setRead] = useState(-1);
  return (
    <SendDialog
      title={`Delete ${number}?`}
      consequence="Permanently erases what was sent, and its notes. Decisions stay in force. The audit log records who deleted it and why."
      confirm="Delete permanently"
      cancel="Keep it"
      isFinal
      fields={[
        {
          ...REASON,
          label: "Reason for the deletion",
          choices: NOTICE_DELETIONS,
          help: "Kept in the audit log",
        },
      ]}
      send={(_, typed) =>
        provider.command(`/notices/${id}/delete`, { ...typed, revision: Math.max(listed, read) })
      }
      again={["notices"]}
      tells="success"
      failed="Couldn't delete the notice. Try again."
      onDone={() => onDeleted?.()}
      onRefused={async (error) => {
        if (isOutdated(error)) setRead((await provider.read<Deletable>(`/notices/${id}`)).revision);
      }}
      onClose={onClose}
    />
  );
}
