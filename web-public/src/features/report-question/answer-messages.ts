/** Labels and messages of the form for an answer to a moderator's question, or a reply to staff's answer. */
export interface AnswerMessages {
  readonly label: string;
  /** Who reads the answer, how often one can answer, and until when. */
  readonly hint: string;
  readonly send: string;
  readonly leave: string;
  readonly empty: string;
  /** Without a period. */
  readonly failed: string;
}

export const ANSWER_MESSAGES: AnswerMessages = {
  label: "Your answer",
  hint: "Only moderators will read your answer. It's never published. You can answer once, until",
  send: "Send Answer",
  leave: "Leave without sending your answer?",
  empty: "Answer is required",
  failed: "We couldn't send your answer",
};

export const REPLY_MESSAGES: AnswerMessages = {
  label: "Your reply",
  hint: "Only our staff will read your reply. It's never published. You can reply once, until",
  send: "Send Reply",
  leave: "Leave without sending your reply?",
  empty: "Reply is required",
  failed: "We couldn't send your reply",
};

/** Message if it is unknown whether the answer arrived. */
export function unanswered({ failed }: AnswerMessages): string {
  return `${failed}. Nothing you wrote is lost. Please try again in a moment.`;
}
