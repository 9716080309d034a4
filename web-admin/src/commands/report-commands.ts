import { textsAt } from "#contracts/events/report/report-texts.ts";
import type { ModerationBody, ModerationName } from "#contracts/http/moderation.ts";
import type { AdminReport, AdminReportDetail } from "#contracts/http/report-view.ts";
import { isMaskable } from "#contracts/report/private-text/mask-places.ts";
import {
  isImmediate,
  MAX_DELETIONS,
  QUESTION_CHARS,
  QUESTION_DAYS,
  REASON_CHARS,
} from "#contracts/report/reporter-rules.ts";
import { DELETION_REASONS, REJECTION_REASONS, type ReportStatus } from "#contracts/report/words.ts";
import type { Typed } from "../shared/AskDialog.tsx";
import { type FormField, lengthOf } from "../shared/fields.tsx";
import { hiddenFirst } from "./labels.ts";

/** What a dialog shows and asks for before a command is sent. */
export interface Question<Source extends string = string> {
  readonly title: (name: string) => string;
  /** What the command will do. @param eraseHours the setting; undefined until it is loaded. */
  readonly consequence: (report: AdminReport, eraseHours: number | undefined) => string;
  readonly confirm: string;
  readonly cancel?: string;
  readonly fields?: (now: Typed) => readonly FormField<Source>[];
}

interface CommandOf<N extends ModerationName, Body = ModerationBody<N>> {
  readonly name: N;
  /** Sent in addition to the answer. */
  readonly body?: Partial<Body>;
  readonly asks?: Question<keyof Body & string>;
  /** The notice after success; defaults to the server's message. */
  readonly done?: string;
  /** The notice for a failure without a message. */
  readonly failed: string;
  /** Prefix of a failure's message; defaults to `failed`. */
  readonly error?: string;
}
/** A command of the contract, as a screen sends it. */
export type ConsoleCommand = { [N in ModerationName]: CommandOf<N> }[ModerationName];

/** A report from a list or from its page. Some commands need fields that only the page has. */
type OfferedFor = AdminReport & Pick<Partial<AdminReportDetail>, "not_askable">;

/** A command that a report's page offers. */
export type PageCommand = ConsoleCommand & {
  readonly label: string;
  /** The letter of its keyboard shortcut, uppercase. */
  readonly key?: string;
  readonly offered: (report: OfferedFor) => boolean;
  /** Whether it is set apart from the decisions, in the warning color. */
  readonly isApart?: true;
  /** Builds the part of the body that depends on the report as shown. */
  readonly bodyOf?: (report: { readonly revision: number }) => object;
  /** Where the moderator goes next: to the next report, or back to the list. By default, nowhere. */
  readonly afterwards?: "next" | "leave";
};

/** Whether the report awaits a decision. */
export function isOpen(status: ReportStatus): boolean {
  return status === "pending" || status === "under_review";
}

/** Describes what a status change does to the report; `open` applies if it is not published. */
const consequence =
  (open: string) =>
  ({ status }: AdminReport): string =>
    `${status === "approved" ? "The report is removed from the site and search results" : open}, and we'll email the reporter.`;

/** Warns about a fee before a report is deleted. Lists don't include a fee that is due. */
function feeWords(report: AdminReport & Pick<Partial<AdminReportDetail>, "resolution">): string {
  if (report.resolved) return "The fee for its RESOLVED banner was paid. ";
  return report.resolution?.stage === "letter_accepted"
    ? "Its owner was asked to pay for the RESOLVED banner. "
    : "";
}

/**
 * Returns the body of a mask command: the selected text if one of the report's texts contains it, otherwise
 * everything that looks private.
 * @param report as shown.
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

/** A multiline text field that shows its length limit. */
export function longText<Source extends string>(source: Source, label: string, max: number) {
  return { source, label, max, isLong: true, help: lengthOf(max) } as const;
}

/** The commands of a report's page, most likely first. */
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
      consequence: consequence("The report will be awaiting a decision again"),
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
        `We'll email the question to the reporter's confirmed address, with a link to answer once within ${QUESTION_DAYS} days. The report waits until then and can still be decided.`,
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
            isImmediate(choice)
              ? "Kept in the history. A second admin can have it erased immediately."
              : "Kept in the history",
          needs: "Choose a reason",
        },
      ],
      title: (name) => `Delete the report about ${name}?`,
      consequence: (report, eraseHours) =>
        `${feeWords(report)}${hiddenFirst(eraseHours, Date.now())} After ${MAX_DELETIONS} deletions within an hour, another admin has to approve the next one.`,
      confirm: "Delete report",
      cancel: "Keep report",
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

/** Commands that other parts of the console send about a report. */
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
  /** Withdraws or refuses a deletion request. */
  REFUSE_DELETION: {
    name: "undoDelete",
    done: "Report not deleted",
    failed: "Couldn't refuse the deletion",
  },
  /** Approves a deletion requested by another admin, which also deletes the report. */
  APPROVE_DELETION: { name: "delete", failed: "Couldn't approve the deletion" },
  /** Erases a deleted report immediately, as a second admin, for a reason that can't wait. */
  ERASE_NOW: { name: "delete", done: "Report erased", failed: "Couldn't erase the report" },
  RESTORE: { name: "restore", failed: "Failed to restore the version" },
  EDIT: { name: "edit", failed: "Failed to update report", error: "Edit error" },
} as const satisfies Readonly<Record<string, ConsoleCommand>>;
