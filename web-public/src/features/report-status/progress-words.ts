import type { ReportProgress, ReportStep } from "#contracts/http/reporter-links.ts";

/** What happened, in words. */
export const STEP_WORDS: Readonly<Record<ReportStep, string>> = {
  submitted: "Sent",
  corrected: "Address corrected",
  confirmed: "Address confirmed",
  vouched: "Address confirmed by a moderator",
  unconfirmed: "Confirmation of the address withdrawn",
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
      title: "Waits for your answer",
      next: "A moderator has asked you a question. Its link is in a mail of its own.",
    };
  switch (status) {
    case "approved":
      return {
        title: "Published",
        next: "The report is public. There is nothing more for you to do.",
      };
    case "rejected":
      return {
        title: "Not published",
        next: "A moderator decided not to publish the report. If you have more evidence, you can submit it again.",
      };
    case "under_review":
      return {
        title: "In review",
        next: "A moderator is looking at the report. We write to you when it is decided.",
      };
    case "pending":
      return verified
        ? {
            title: "Waits for review",
            next: "A moderator reads the report next. We write to you when it is decided.",
          }
        : {
            title: "Waits for your confirmation",
            next: "Open the link in the mail that we sent to confirm your address. It works for 48 hours. We review the report after that.",
          };
  }
}

const TIME = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

/** "2 May 2026, 14:05 UTC": the same on the server and in every browser. */
export function timeInWords(at: string): string {
  const parts = Object.fromEntries(TIME.formatToParts(new Date(at)).map((p) => [p.type, p.value]));
  return `${parts.day} ${parts.month} ${parts.year}, ${parts.hour}:${parts.minute} UTC`;
}
