import type { InquiryStep, ListedInquiry } from "#contracts/http/admin-inquiries.ts";
import { INQUIRY_STATUSES } from "#contracts/inquiry/inquiry-status.ts";
import { type TimeLeft, timeLeft } from "../shared/cases/Deadline.tsx";

/** Returns e.g. "5 hours left", "2 hours late" or "Answered in time". @param now in milliseconds. */
export function againstPromise(
  { answer_by, answered_at }: Pick<ListedInquiry, "answer_by" | "answered_at">,
  now: number,
): TimeLeft {
  const due = Date.parse(answer_by);
  if (answered_at !== undefined)
    return Date.parse(answered_at) <= due
      ? { text: "Answered in time", isLate: false }
      : { text: "Answered late", isLate: false };
  return timeLeft(due, now, Number.POSITIVE_INFINITY);
}

/** Describes a step, e.g. "Status: Answered". */
export function stepText({ type, to, report_number }: InquiryStep): string {
  switch (type) {
    case "received":
      return "Received";
    case "status":
      return `Status: ${to ? INQUIRY_STATUSES[to] : "changed"}`;
    case "note":
      return "Note";
    case "answered":
      return "Answered by email";
    case "replied":
      return "The sender replied";
    case "viewed":
      return "Message viewed";
    case "document":
      return "Document viewed";
    case "disclosed":
      return `Report ${report_number ?? ""} viewed for this request`;
  }
}
