import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { NOT_CONFIRMED } from "#contracts/report/reporter-rules.ts";
import { isOpen } from "../commands/report-commands.ts";

type Facts = Pick<
  AdminReportDetail,
  "status" | "verified" | "held" | "not_askable" | "asked_until"
>;

/** Facts about the reporter that matter before an open report is decided. */
export function reporterNotes({ status, verified, held, not_askable, asked_until }: Facts): {
  /** Why no question can be sent, unless `unconfirmed` explains it. */
  readonly noQuestion?: string;
  /** Warns that the address is not confirmed, with the consequences. */
  readonly unconfirmed?: string;
} {
  if (!isOpen(status) || held) return {};
  const noQuestion =
    not_askable && !asked_until ? { noQuestion: `No question can be sent. ${not_askable}.` } : {};
  if (verified) return noQuestion;
  const unconfirmed = "The reporter hasn't confirmed their email.";
  if (not_askable === NOT_CONFIRMED && !asked_until)
    return {
      unconfirmed: `${unconfirmed} You can't send a question, and if you approve the report, the history will say it was unconfirmed.`,
    };
  return {
    ...noQuestion,
    unconfirmed: `${unconfirmed} If you approve the report, the history will say it was unconfirmed.`,
  };
}

/** Describes whether the reporter's address is verified. Staff can verify one that its owner never confirmed. */
export function verifiedText({ verified, not_askable }: Pick<Facts, "verified" | "not_askable">) {
  if (!verified) return "Email not verified";
  return not_askable === NOT_CONFIRMED ? "Email verified by staff" : "Email verified";
}
