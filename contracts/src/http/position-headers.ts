/** Headers that let clients read their own writes. */

/** Header of a command's reply: epoch and position of its last event. */
export const X_POSITION = "x-position";
/** Header of a read that must include a certain write; takes the value of that write's `X-Position`. */
export const X_MIN_POSITION = "x-min-position";
/** Header of a reply, `true` when it is older than requested or its stream is parked. */
export const X_STALE = "x-stale";
