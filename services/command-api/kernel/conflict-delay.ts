/** Longest wait before the first retry after a conflict, in milliseconds. */
const FIRST_MS = 100;
/** How often a command is decided again after conflicts. */
export const CONFLICT_RETRIES = 5;

/**
 * How long to wait before a command is decided again: a random time up to a bound that doubles with
 * each attempt ("full jitter"), so that conflicting writers spread out. All waits of one command
 * together stay below 3.1 seconds.
 * @param attempt 0 after the first conflict.
 * @param random from 0 up to, but not including, 1.
 * @returns milliseconds.
 */
export function conflictDelay(attempt: number, random: () => number = Math.random): number {
  return random() * FIRST_MS * 2 ** attempt;
}
