import { dismissToasts, showToast } from "../../components/toast-store.ts";

/**
 * Client-side throttle for searches, in addition to the server's limits. It asks visitors who search a lot
 * whether they are human.
 */

/** After `MAX_COUNT` searches, the next one is refused for this long after the last. */
const WINDOW_MS = 6_000;
const MAX_COUNT = 10;
/** After this many searches, the next one requires confirmation. */
const UNVERIFIED_COUNT = 5;
/** After this long without a search, the count resets. */
const RESET_MS = 60_000;

export interface ThrottleState {
  /** Searches since the last reset. */
  readonly count: number;
  /** Time of the last search, in milliseconds. */
  readonly lastAt: number;
  /** Whether the visitor confirmed that they are human. */
  readonly verified: boolean;
}

export const INITIAL_THROTTLE: ThrottleState = { count: 0, lastAt: 0, verified: false };

type Verdict = "go" | "refuse" | "verify";

/**
 * Decides whether a search at `now` is allowed, refused, or requires confirmation. Only allowed searches are
 * counted.
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

/** Shared by all searches. A reload loses it, but takes long enough to need no throttle. */
let state: ThrottleState = INITIAL_THROTTLE;

/** Asks the visitor for confirmation, and resolves to whether it was given. */
type AskForConfirmation = () => Promise<boolean>;

/**
 * Whether a search is allowed now. If not, shows why, or asks for confirmation.
 * @param isTrusted whether the account is in good standing and needs no confirmation.
 */
export async function admitSearch(ask: AskForConfirmation, isTrusted = false): Promise<boolean> {
  if (isTrusted) state = { ...state, verified: true };
  const first = step();
  if (first !== "verify") return first === "go";
  if (!(await ask())) return false;
  state = { ...state, verified: true };
  return step() === "go";
}

/** Resets the count, the warning and the confirmation. */
export function resetSearchGate(): void {
  state = INITIAL_THROTTLE;
  dismissToasts("warning");
}

function step() {
  const { state: next, verdict } = admit(state, Date.now());
  state = next;
  if (verdict === "refuse") showRateLimitToast();
  return verdict;
}

/** Shows the message for searches that come too fast, by the browser's or the server's limits. */
export function showRateLimitToast(): void {
  showToast({
    kind: "warning",
    title: "Rate Limit Exceeded",
    text: "Too many searches in a short time. Please wait before searching again.",
  });
}
