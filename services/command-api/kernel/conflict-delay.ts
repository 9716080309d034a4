/** Milliseconds that the first try after a conflict waits at most. */
const FIRST_MS = 100;
/** Times that a command is decided again after another writer was first. */
export const CONFLICT_RETRIES = 5;

/**
 * How long to wait before a command is decided again: anything up to a bound that doubles with each
 * try ("full jitter"), so that writers who met once spread out instead of meeting again. All waits
 * of one command together stay below 3.1 seconds.
 * @param attempt 0 after the first conflict.
 * @param random from 0 up to, but not including, 1.
 * @returns milliseconds.
 */
export function conflictDelay(attempt: number, random: () => number = Math.random): number {
  return random() * FIRST_MS * 2 ** attempt;
}
