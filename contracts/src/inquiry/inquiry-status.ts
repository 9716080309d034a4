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

/** The status of a code; one of a newer version counts as being worked on. */
export function statusOf(code: string): InquiryStatus {
  return Object.hasOwn(INQUIRY_STATUSES, code) ? (code as InquiryStatus) : "in_work";
}
