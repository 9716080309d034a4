/** The newest of an account's reports that its figures cover. */
export const SUMMARISED_REPORTS = 10_000;
/** Months of the amounts over time, the present one included. */
export const SUMMARISED_MONTHS = 12;

/** How many questions of moderators an account is shown at once. */
export const ASKED_REPORTS = 20;

/** How many reports an account is offered at once. */
export const CLAIMABLE_REPORTS = 50;
