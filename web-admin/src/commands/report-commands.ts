import { textsAt } from "#contracts/events/report/report-texts.ts";
import type { ModerationBody, ModerationName } from "#contracts/http/moderation.ts";
import type { AdminReport, AdminReportDetail } from "#contracts/http/report-view.ts";
import { isMaskable } from "#contracts/report/private-text/mask-places.ts";
import {
  isAtOnce,
  MOST_DELETIONS,
  QUESTION_CHARS,
  QUESTION_DAYS,
  REASON_CHARS,
} from "#contracts/report/reporter-rules.ts";
import { DELETION_REASONS, REJECTION_REASONS, type ReportStatus } from "#contracts/report/words.ts";
import type { Typed } from "../shared/AskDialog.tsx";
import { type FormField, lengthOf } from "../shared/fields.tsx";
import { hiddenFirst } from "./labels.ts";

/** What a dialog says and asks for before a command is sent. */
export interface Question<Source extends string = string> {
  readonly title: (name: string) => string;
  /** What the command will do. @param eraseHours the setting; undefined while it is not known. */
  readonly consequence: (report: AdminReport, eraseHours: number | undefined) => string;
  readonly confirm: string;
  readonly cancel?: string;
  readonly fields?: (now: Typed) => readonly FormField<Source>[];
}

interface CommandOf<N extends ModerationName, Body = ModerationBody<N>> {
  readonly name: N;
  /** What is sent in addition to the answer. */
  readonly body?: Partial<Body>;
  readonly asks?: Question<keyof Body & string>;
  /** The notice when it is done; the contract's sentence when absent. */
  readonly done?: string;
  /** The notice for a failure without its own sentence. */
  readonly failed: string;
  /** Before the failure's own sentence; `failed` when absent. */
  readonly error?: string;
}
/** A command of the contract as a screen sends it. */
export type ConsoleCommand = { [N in ModerationName]: CommandOf<N> }[ModerationName];

/** A report as lists have it, or as its page does. Only the page offers what lists do not know of. */
type OfferedFor = AdminReport & Pick<Partial<AdminReportDetail>, "not_askable">;

/** A command that a report's page offers. */
export type PageCommand = ConsoleCommand & {
  readonly label: string;
  /** The letter of its keyboard shortcut, in upper case. */
  readonly key?: string;
  readonly offered: (report: OfferedFor) => boolean;
  /** It is apart from the decisions, in the color of a warning. */
  readonly isApart?: true;
  /** What is sent about the report as it is shown. */
  readonly bodyOf?: (report: { readonly revision: number }) => object;
  /** Where the moderator goes next: to the next report, or back to the list. Absent: nowhere. */
  readonly afterwards?: "next" | "leave";
};

/** Whether the report waits for somebody to decide. */
export function isOpen(status: ReportStatus): boolean {
  return status === "pending" || status === "under_review";
}

/** What a change of the status does to a report that is public, or else. */
const consequence =
  (open: string) =>
  ({ status }: AdminReport): string =>
    `${status === "approved" ? "The report leaves the site and the search" : open}, and we'll email the reporter.`;

/** What to know of a fee before a report is deleted. Lists do not know of a fee that is due. */
function feeWords(report: AdminReport & Pick<Partial<AdminReportDetail>, "resolution">): string {
  if (report.resolved) return "The fee for its RESOLVED banner was paid. ";
  return report.resolution?.stage === "letter_accepted"
    ? "Its owner was asked to pay for the RESOLVED banner. "
    : "";
}

/**
 * What is masked: the selected text where one of the report's texts has it, else all that looks private.
 * @param report as it is shown.
 */
export function maskBody(
  report: { readonly revision: number },
  selection: string,
): ModerationBody<"mask"> {
  const { revision } = report;
  const selected = selection.trim();
  const holder = isMaskable(selected)
    ? textsAt(report as Readonly<Record<string, unknown>>).find(({ text }) =>
        text.includes(selected),
      )
    : undefined;
  if (!holder) return { revision };
  const start = holder.text.indexOf(selected);
  return { revision, places: [{ field: holder.path, start, end: start + selected.length }] };
}

/** A text of several lines that says how long it is. */
export function longText<Source extends string>(source: Source, label: string, max: number) {
  return { source, label, max, isLong: true, help: lengthOf(max) } as const;
}

/** The commands of a report's page, the most likely first. */
export const PAGE_COMMANDS = {
  approve: {
    name: "approve",
    label: "Approve",
    key: "A",
    offered: ({ status, held }) => status !== "approved" && !held,
    afterwards: "next",
    failed: "Failed to approve report",
    asks: {
      title: (name) => `Approve the report about ${name}?`,
      consequence: () => "The report is published, and we'll email the reporter.",
      confirm: "Approve report",
    },
  },
  reject: {
    name: "reject",
    label: "Reject…",
    key: "R",
    offered: ({ status, held }) => status !== "rejected" && !held,
    afterwards: "next",
    failed: "Failed to reject report",
    asks: {
      fields: ({ reason_code }) => [
        {
          source: "reason_code",
          label: "Reason",
          choices: REJECTION_REASONS,
          isNumbered: true,
          needs: "Choose a reason",
        },
        {
          ...longText("reason", "Details for the reporter", REASON_CHARS),
          needs: reason_code === "other" ? "Enter the reason" : undefined,
        },
      ],
      title: (name) => `Reject the report about ${name}?`,
      consequence: (report) =>
        `${consequence("The report will not be published")(report)} You can still approve it later.`,
      confirm: "Reject report",
    },
  },
  review: {
    name: "status",
    body: { status: "under_review" },
    label: "Put under review",
    key: "U",
    offered: ({ status, held }) => status !== "under_review" && !held,
    afterwards: "next",
    done: "Report put under review",
    failed: "Failed to update report",
    asks: {
      title: (name) => `Put the report about ${name} under review?`,
      consequence: consequence("The report stays unpublished"),
      confirm: "Put under review",
    },
  },
  reopen: {
    name: "status",
    body: { status: "pending" },
    label: "Return to pending",
    key: "P",
    offered: ({ status, held }) => status !== "pending" && !held,
    afterwards: "next",
    done: "Report returned to pending",
    failed: "Failed to update report",
    asks: {
      title: (name) => `Return the report about ${name} to pending?`,
      consequence: consequence("The report waits for a decision again"),
      confirm: "Return to pending",
    },
  },
  ask: {
    name: "ask",
    label: "Ask the reporter…",
    key: "Q",
    offered: ({ not_askable }) => not_askable === undefined,
    afterwards: "next",
    failed: "Failed to send the question",
    asks: {
      fields: () => [
        { ...longText("question", "Question", QUESTION_CHARS), needs: "Enter the question" },
      ],
      title: (name) => `Ask the reporter about the report on ${name}?`,
      consequence: () =>
        `We'll email the question to the reporter's confirmed address, with a link that takes one answer within ${QUESTION_DAYS} days. The report waits until then and can still be decided.`,
      confirm: "Send question",
    },
  },
  withdrawQuestion: {
    name: "withdrawQuestion",
    label: "Withdraw question",
    key: "Q",
    offered: ({ asked_until }) => asked_until !== undefined,
    failed: "Failed to withdraw the question",
  },
  mask: {
    name: "mask",
    label: "Mask private text",
    key: "X",
    offered: () => true,
    bodyOf: (report) => maskBody(report, window.getSelection()?.toString() ?? ""),
    failed: "Couldn't mask the text",
  },
  verify: {
    name: "verify",
    label: "Verify email manually",
    key: "Y",
    offered: ({ verified }) => !verified,
    failed: "Manual verification failed",
    error: "Manual verification error",
  },
  delete: {
    name: "delete",
    label: "Delete…",
    offered: () => true,
    isApart: true,
    afterwards: "leave",
    failed: "Failed to delete report",
    asks: {
      fields: () => [
        {
          source: "reason_code",
          label: "Reason for the deletion",
          choices: DELETION_REASONS,
          help: (choice) =>
            isAtOnce(choice)
              ? "Kept in the history. A second admin can have it erased immediately."
              : "Kept in the history",
          needs: "Choose a reason",
        },
      ],
      title: (name) => `Delete the report about ${name}?`,
      consequence: (report, eraseHours) =>
        `${feeWords(report)}${hiddenFirst(eraseHours, Date.now())} After ${MOST_DELETIONS} deletions within an hour, another admin has to approve the next one.`,
      confirm: "Delete report",
      cancel: "Keep the report",
    },
  },
} as const satisfies Readonly<Record<string, PageCommand>>;

const isPending = ({ status }: OfferedFor) => status === "pending";

/** The commands of a row in the reports list. */
export const ROW_COMMANDS = {
  verify: PAGE_COMMANDS.verify,
  approve: {
    ...PAGE_COMMANDS.approve,
    offered: (report) => isPending(report) && PAGE_COMMANDS.approve.offered(report),
    done: "Report approved via emergency action",
    failed: "Emergency approval failed",
    error: "Emergency approval error",
  },
  delete: {
    ...PAGE_COMMANDS.delete,
    label: "Delete",
    offered: isPending,
    failed: "Emergency deletion failed",
    error: "Emergency deletion error",
  },
} as const satisfies Readonly<Record<string, PageCommand>>;

/** What other parts of the console send about a report. */
export const {
  NOTE,
  UNDO,
  UNDO_DELETION,
  REFUSE_DELETION,
  APPROVE_DELETION,
  ERASE_NOW,
  RESTORE,
  EDIT,
} = {
  NOTE: { name: "note", failed: "Failed to save the note" },
  UNDO: { name: "undo", failed: "Failed to undo the decision" },
  UNDO_DELETION: { name: "undoDelete", failed: "Couldn't undo the deletion" },
  /** Takes a request for a deletion back, or refuses it. */
  REFUSE_DELETION: {
    name: "undoDelete",
    done: "Report not deleted",
    failed: "Couldn't refuse the deletion",
  },
  /** Approves a deletion that another admin asked for: it deletes the report too. */
  APPROVE_DELETION: { name: "delete", failed: "Couldn't approve the deletion" },
  /** Erases a deleted report immediately, as the second admin who deletes it for a reason that cannot wait. */
  ERASE_NOW: { name: "delete", done: "Report erased", failed: "Couldn't erase the report" },
  RESTORE: { name: "restore", failed: "Failed to restore the version" },
  EDIT: { name: "edit", failed: "Failed to update report", error: "Edit error" },
} as const satisfies Readonly<Record<string, ConsoleCommand>>;
