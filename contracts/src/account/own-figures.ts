/** Maximum number of an account's reports that its statistics cover, newest first. */
export const SUMMARIZED_REPORTS = 10_000;
/** Number of months in the amounts over time, including the current one. */
export const SUMMARIZED_MONTHS = 12;

/** Maximum number of moderators' questions that an account is shown at a time. */
export const ASKED_REPORTS = 20;

/** Maximum number of claimable reports that an account is offered at a time. */
export const CLAIMABLE_REPORTS = 50;
