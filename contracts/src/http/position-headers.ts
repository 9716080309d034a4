/** The headers with which everybody reads their own writes. */

/** Header of a command's answer: epoch and position of its last event. */
export const X_POSITION = "x-position";
/** Header of a read that wants data at least as new; the value of an `X-Position`. */
export const X_MIN_POSITION = "x-min-position";
/** Header of an answer that is older than asked for, or whose stream is parked: `true`. */
export const X_STALE = "x-stale";
