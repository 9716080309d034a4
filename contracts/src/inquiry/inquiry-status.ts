/** How far an inquiry is, by the code that the log keeps, in the order in which it usually goes. */
export const INQUIRY_STATUSES = {
  new: "New",
  in_work: "In progress",
  answered: "Answered",
  closed: "Closed",
} as const;
export type InquiryStatus = keyof typeof INQUIRY_STATUSES;

/** Statuses in which the sender still waits for an answer. */
export const WAITING_INQUIRIES: readonly InquiryStatus[] = ["new", "in_work"];

/** A sender who replied is waiting again. */
export function statusAfterReply(status: InquiryStatus): InquiryStatus {
  return status === "answered" ? "in_work" : status;
}

/** The status of a code; one of a newer version counts as being worked on. */
export function statusOf(code: string): InquiryStatus {
  return Object.hasOwn(INQUIRY_STATUSES, code) ? (code as InquiryStatus) : "in_work";
}

/** How long the sender of an inquiry can reply to an answer. */
export const REPLY_DAYS = 30;
/** Characters of a reply, at most. */
export const REPLY_CHARS = 5000;
/** How many answers an inquiry takes. */
export const MOST_INQUIRY_ANSWERS = 50;
