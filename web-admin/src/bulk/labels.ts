import type { BulkBody, Job, JobLine, JobOutcome } from "#contracts/http/jobs.ts";
import type { ReportStatus } from "#contracts/report/words.ts";
import { counted, formatCount } from "../shared/formats.ts";

/** A selected report, as it was when selected. */
export interface SelectedReport {
  readonly id: string;
  readonly revision: number;
  readonly status: ReportStatus;
  readonly name: string;
  /** Whether it concerns the moderator, and so won't be changed. */
  readonly own?: true;
}

interface BulkAction {
  readonly label: string;
  readonly command: Pick<BulkBody, "command" | "status">;
  readonly asksReason?: true;
  /** Text of the dialog's button. @param what "3 reports", "all 3". */
  readonly confirm: (what: string) => string;
  readonly consequence: (reports: readonly SelectedReport[]) => string;
}

const words = ({ length }: readonly SelectedReport[], one: string, many: string) =>
  length === 1 ? one : many;

const ofPublic = (reports: readonly SelectedReport[]) => {
  const count = reports.filter(({ status }) => status === "approved").length;
  if (count === 0) return "";
  return `${counted(count, "published report", "published reports")} will be removed from the site and search results. `;
};

export type BulkActionName = "approve" | "reject" | "review" | "reopen";

export const BULK_ACTIONS: Readonly<Record<BulkActionName, BulkAction>> = {
  approve: {
    label: "Approve…",
    command: { command: "approve" },
    confirm: (what) => `Approve ${what}`,
    consequence: (reports) =>
      words(
        reports,
        "The report will be published, even if the reporter hasn't confirmed their email. We'll email the reporter.",
        "These reports will be published, even if the reporter hasn't confirmed their email. We'll email the reporters.",
      ),
  },
  reject: {
    label: "Reject…",
    command: { command: "reject" },
    asksReason: true,
    confirm: (what) => `Reject ${what}`,
    consequence: (reports) =>
      ofPublic(reports) +
      words(
        reports,
        "It won't be published, and we'll email the reporter. You can still approve it later.",
        "None of them will be published, and we'll email the reporters. You can still approve them later.",
      ),
  },
  review: {
    label: "Put under review…",
    command: { command: "status", status: "under_review" },
    confirm: (what) => `Put ${what} under review`,
    consequence: (reports) =>
      ofPublic(reports) +
      words(reports, "It'll wait for a decision.", "They'll wait for a decision."),
  },
  reopen: {
    label: "Return to pending…",
    command: { command: "status", status: "pending" },
    confirm: (what) => `Return ${what} to pending`,
    consequence: (reports) =>
      ofPublic(reports) +
      words(
        reports,
        "It'll wait in the queue for a decision.",
        "They'll wait in the queue for a decision.",
      ),
  },
};

const OUTCOMES: Readonly<Record<Exclude<JobOutcome, "done">, string>> = {
  conflict: "Changed by someone else",
  refused: "Not possible",
  gone: "Deleted",
  failed: "Failed on our side",
};

/** Explains one line of the result; empty if the report was changed. */
export function lineText({ outcome, message }: JobLine): string {
  if (outcome === "done") return "";
  // A refusal's message gives the reason; the other outcomes need none.
  return outcome === "refused" && message ? message : OUTCOMES[outcome];
}

/** Warns about reports that concern the moderator; undefined if there are none. */
export function ownReportsText(reports: readonly SelectedReport[]): string | undefined {
  const count = reports.filter(({ own }) => own).length;
  if (count === 0) return undefined;
  return count === 1
    ? "1 of these reports is your own or names you. It won't change: someone else has to decide it."
    : `${formatCount(count)} of these reports are your own or name you. They won't change: someone else has to decide them.`;
}

/** Describes how a bulk decision ended, in one sentence. */
export function resultSentence({ state, counts, done, total = done, error }: Job): string {
  const changed = `${counted(counts.done, "report", "reports")} changed`;
  const left = done - counts.done;
  const others = left > 0 ? `, ${left} left as ${left === 1 ? "it was" : "they were"}` : "";
  if (state === "done") return `${changed}${others}.`;
  const ended = state === "stopped" ? "Stopped" : "Ended early";
  const never = total - done > 0 ? `, ${total - done} not started` : "";
  return `${ended}: ${changed}${others}${never}.${error ? ` ${error.message}` : ""}`;
}
