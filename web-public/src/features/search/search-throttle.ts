/**
 * The throttle of searches in the browser. The server keeps its own limits; this one asks a person
 * who searches a lot whether they are one.
 */

/** Searches closer together than this are refused once there were `MAX_COUNT`. */
export const WINDOW_MS = 6_000;
export const MAX_COUNT = 10;
/** More searches than this need a confirmation. */
export const UNVERIFIED_COUNT = 5;
/** Quiet time after which the count starts again. */
export const RESET_MS = 60_000;

export interface ThrottleState {
  /** Searches since the last quiet time. */
  readonly count: number;
  /** Time of the last one, in milliseconds. */
  readonly lastAt: number;
  /** Whether the visitor confirmed that they are human. */
  readonly verified: boolean;
}

export const INITIAL_THROTTLE: ThrottleState = { count: 0, lastAt: 0, verified: false };

export type Verdict = "go" | "refuse" | "verify";

/**
 * What becomes of a search at `now`: it goes, is refused, or waits for the confirmation. Only a
 * search that goes is counted.
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
