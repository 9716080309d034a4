/** Maximum number of reports and pictures that one notice is about. */
export const MAX_TARGETS = 20;

/** Statuses of notices and counter-notices, which follow from their events. */
export const NOTICE_STATUSES = {
  new: "New",
  in_work: "In progress",
  taken_down: "Taken down",
  countered: "Counter-notice received",
  lifted: "Material back",
  passed_on: "Forwarded",
  restored: "Restored",
  refused: "Refused",
} as const;
export type NoticeStatus = keyof typeof NOTICE_STATUSES;

/** Statuses in which the sender is waiting for a decision. */
export const WAITING_NOTICES: readonly NoticeStatus[] = ["new", "in_work", "passed_on"];

/** Statuses in which a notice hides its targets. */
export const HOLDING_NOTICES: readonly NoticeStatus[] = ["taken_down", "countered"];

/** Final statuses. Only then can what was sent be deleted. */
export const ENDED_NOTICES: readonly NoticeStatus[] = ["lifted", "restored", "refused"];

/** Reasons for staff to delete what was sent, by the code in the log. */
export const NOTICE_DELETIONS = {
  spam: "Spam",
  duplicate: "Sent twice",
  sender_asked: "Its sender asked for it",
  private: "Contains data we can't keep",
} as const;
export type NoticeDeletion = keyof typeof NOTICE_DELETIONS;

interface RefusalReason {
  /** For staff. */
  readonly label: string;
  /** Shown to the sender. The text is fixed, because no one has confirmed the sender's address. */
  readonly sentence: string;
}

/** Reasons to refuse a notice or a counter-notice, by the code in the log. */
export const NOTICE_REFUSALS = {
  incomplete: {
    label: "Incomplete",
    sentence:
      "It's missing something the law requires. The DMCA policy lists what it must include.",
  },
  not_owner: {
    label: "Not the owner",
    sentence: "It doesn't show that you own the work or may act for its owner.",
  },
  unfounded: {
    label: "Unfounded",
    sentence: "We reviewed the material, and it doesn't infringe the work you name.",
  },
  not_copyright: {
    label: "Not about copyright",
    sentence:
      "It isn't about copyright. The privacy policy explains how to correct a report about you.",
  },
  not_found: {
    label: "Material not found",
    sentence: "We couldn't find the material it names.",
  },
  court_action: {
    label: "Court action pending",
    sentence:
      "Court action about the material is pending. The material stays hidden until it ends.",
  },
  other: {
    label: "Other",
    sentence: "Write to us if you'd like to know more.",
  },
} as const satisfies Readonly<Record<string, RefusalReason>>;
export type NoticeRefusal = keyof typeof NOTICE_REFUSALS;

/** Returns the sentence of a code; a code unknown to this version counts as `other`. */
export function refusalSentence(code: string): string {
  const known = Object.hasOwn(NOTICE_REFUSALS, code) ? (code as NoticeRefusal) : "other";
  return NOTICE_REFUSALS[known].sentence;
}

/** Reasons to restore material without a counter-notice, by the code in the log. */
export const LIFT_REASONS = {
  withdrawn: "The sender withdrew the notice",
  mistake: "It was taken down by mistake",
} as const;
export type LiftReason = keyof typeof LIFT_REASONS;
