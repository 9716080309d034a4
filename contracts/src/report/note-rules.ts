/** Longest note of a moderator, in characters. */
export const NOTE_CHARS = 2000;

/** How many notes a report takes. */
export const MOST_NOTES = 100;
