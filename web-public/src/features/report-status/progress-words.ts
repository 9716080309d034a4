import type { ReportProgress, ReportStep } from "#contracts/http/unsubscribe.ts";

/** What happened, in words. */
export const STEP_WORDS: Readonly<Record<ReportStep, string>> = {
  submitted: "Sent",
  corrected: "Address corrected",
  confirmed: "Address confirmed",
  vouched: "Address confirmed by a moderator",
  unconfirmed: "Address no longer confirmed",
  under_review: "In review",
  pending: "Back in the queue",
  asked: "A moderator asked a question",
  answered: "Question answered",
  withdrawn: "Question withdrawn",
  approved: "Published",
  rejected: "Not published",
};

/** Where a report stands, in a few words, and what comes next. */
export function standing({
  status,
  verified,
  asked,
}: Pick<ReportProgress, "status" | "verified" | "asked">): {
  readonly title: string;
  readonly next: string;
} {
  if (asked)
    return {
      title: "Awaiting your answer",
      next: "A moderator has asked you a question. The link to answer it is in a separate email.",
    };
  switch (status) {
    case "approved":
      return {
        title: "Published",
        next: "The report is public. There's nothing more for you to do.",
      };
    case "rejected":
      return {
        title: "Not published",
        next: "A moderator decided not to publish the report. If you have more evidence, you can submit it again.",
      };
    case "under_review":
      return {
        title: "In review",
        next: "A moderator is reviewing the report. We'll email you once it's decided.",
      };
    case "pending":
      return verified
        ? {
            title: "Awaiting review",
            next: "A moderator will review the report next. We'll email you once it's decided.",
          }
        : {
            title: "Awaiting your confirmation",
            next: "Open the confirmation link we emailed you. It works for 48 hours. Then we'll review your report.",
          };
  }
}
