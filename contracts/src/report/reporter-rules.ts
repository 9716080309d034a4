/** How often the address of one report can be corrected before it is confirmed. */
export const MOST_CORRECTIONS = 3;

/** Characters of a moderator's question to the reporter, and of its answer, at most. */
export const QUESTION_CHARS = 1000;
export const ANSWER_CHARS = 5000;
/** How many questions are asked about one report, at most. */
export const MOST_QUESTIONS = 10;
/** For how long a question can be answered. */
export const QUESTION_TTL_MS = 30 * 86_400_000;
