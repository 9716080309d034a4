export const ANSWER_FAILED = "Your answer could not be sent";
export const ANSWER_UNANSWERED = `${ANSWER_FAILED}. Nothing that you wrote is lost: please try again in a moment.`;
