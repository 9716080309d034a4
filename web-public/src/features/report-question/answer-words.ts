/** What the form for one answer says, to a moderator's question or to an answer by staff. */
export interface AnswerWords {
  readonly label: string;
  /** Who reads it, and how often and until when it is taken. */
  readonly hint: string;
  readonly send: string;
  readonly leave: string;
  readonly empty: string;
  /** Without a full stop. */
  readonly failed: string;
}

export const ANSWER_WORDS: AnswerWords = {
  label: "Your answer",
  hint: "Only moderators will read your answer. It's never published. You can answer once, until",
  send: "Send Answer",
  leave: "Leave without sending your answer?",
  empty: "Answer is required",
  failed: "We couldn't send your answer",
};

export const REPLY_WORDS: AnswerWords = {
  label: "Your reply",
  hint: "Only our staff will read your reply. It's never published. You can reply once, until",
  send: "Send Reply",
  leave: "Leave without sending your reply?",
  empty: "Reply is required",
  failed: "We couldn't send your reply",
};

/** Where nothing says whether it arrived. */
export function unanswered({ failed }: AnswerWords): string {
  return `${failed}. Nothing you wrote is lost. Please try again in a moment.`;
}
