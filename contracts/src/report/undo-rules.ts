/** How long whoever decided a report can take the decision back, in milliseconds. */
export const UNDO_MS = 60_000;

/**
 * How long the mails about a decision wait, in milliseconds. They wait longer than it can be undone, so
 * that an undo of the last moment is in the log before they are written.
 */
export const DECISION_MAIL_WAITS_MS = UNDO_MS + 5_000;
