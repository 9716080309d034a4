/**
 * The browser's throttle for searches. The server has its own limits. This one asks visitors who
 * search a lot whether they are human.
 */

/** After `MAX_COUNT` searches, the next one is refused within this time of the last. */
export const WINDOW_MS = 6_000;
export const MAX_COUNT = 10;
/** After this many searches, the next one needs a confirmation. */
export const UNVERIFIED_COUNT = 5;
/** After this long without a search, the count starts again. */
export const RESET_MS = 60_000;

export interface ThrottleState {
  /** Searches since the last such pause. */
  readonly count: number;
  /** Time of the last search, in milliseconds. */
  readonly lastAt: number;
  /** Whether the visitor confirmed that they are human. */
  readonly verified: boolean;
}

export const INITIAL_THROTTLE: ThrottleState = { count: 0, lastAt: 0, verified: false };

export type Verdict = "go" | "refuse" | "verify";

/**
 * Decides whether a search at `now` may go, is refused, or waits for the confirmation. Only
 * searches that may go are counted.
 */
export function admit(
  state: ThrottleState,
  now: number,
): { readonly state: ThrottleState; readonly verdict: Verdict } {
  const current = now - state.lastAt >= RESET_MS ? { ...state, count: 0 } : state;
  if (current.count >= MAX_COUNT && now - current.lastAt < WINDOW_MS) {
    return { state: current, verdict: "refuse" };
  }
  if (current.count >= UNVERIFIED_COUNT && !current.verified) {
    return { state: current, verdict: "verify" };
  }
  return { state: { ...current, count: current.count + 1, lastAt: now }, verdict: "go" };
}
