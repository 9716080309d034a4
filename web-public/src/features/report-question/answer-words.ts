export const ANSWER_FAILED = "We couldn't send your answer";
export const ANSWER_UNANSWERED = `${ANSWER_FAILED}. Nothing you wrote is lost. Please try again in a moment.`;
