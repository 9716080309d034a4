/** Statuses of an inquiry, by the code in the log, in their usual order. */
export const INQUIRY_STATUSES = {
  new: "New",
  in_work: "In progress",
  answered: "Answered",
  closed: "Closed",
} as const;
export type InquiryStatus = keyof typeof INQUIRY_STATUSES;

/** Statuses in which the sender is waiting for an answer. */
export const WAITING_INQUIRIES: readonly InquiryStatus[] = ["new", "in_work"];

/** Returns the status after a reply: an answered inquiry is in progress again. */
export function statusAfterReply(status: InquiryStatus): InquiryStatus {
  return status === "answered" ? "in_work" : status;
}

/** Returns the status of a code; one from a newer version counts as in progress. */
export function statusOf(code: string): InquiryStatus {
  return Object.hasOwn(INQUIRY_STATUSES, code) ? (code as InquiryStatus) : "in_work";
}

/** Days during which the sender of an inquiry can reply to an answer. */
export const REPLY_DAYS = 30;
/** Maximum length of a reply, in characters. */
export const REPLY_CHARS = 5000;
/** Maximum number of answers to an inquiry. */
export const MAX_INQUIRY_ANSWERS = 50;
