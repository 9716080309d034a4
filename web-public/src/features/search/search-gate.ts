import { dismissToasts, showToast } from "../../components/toast-store.ts";

/**
 * The browser's throttle for searches. The server has its own limits. This one asks visitors who
 * search a lot whether they are human.
 */

/** After `MAX_COUNT` searches, the next one is refused within this time of the last. */
const WINDOW_MS = 6_000;
const MAX_COUNT = 10;
/** After this many searches, the next one needs a confirmation. */
const UNVERIFIED_COUNT = 5;
/** After this long without a search, the count starts again. */
const RESET_MS = 60_000;

export interface ThrottleState {
  /** Searches since the last such pause. */
  readonly count: number;
  /** Time of the last search, in milliseconds. */
  readonly lastAt: number;
  /** Whether the visitor confirmed that they are human. */
  readonly verified: boolean;
}

export const INITIAL_THROTTLE: ThrottleState = { count: 0, lastAt: 0, verified: false };

type Verdict = "go" | "refuse" | "verify";

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

/**
 * Every search passes through here. The state is lost with a reload, which takes long enough to
 * need no throttle. The server also has its own limits.
 */
let state: ThrottleState = INITIAL_THROTTLE;

/** Asks the visitor for the confirmation, and resolves with whether it was given. */
type AskForConfirmation = () => Promise<boolean>;

/**
 * Whether a search may be made now. If not, it says why or asks for the confirmation.
 * @param isTrusted whether the account is in good standing, which nobody is asked for then.
 */
export async function mayCountSearch(ask: AskForConfirmation, isTrusted = false): Promise<boolean> {
  if (isTrusted) state = { ...state, verified: true };
  const first = step();
  if (first !== "verify") return first === "go";
  if (!(await ask())) return false;
  state = { ...state, verified: true };
  return step() === "go";
}

/** Resets count, warning and confirmation. */
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

/** The message for searches that come too fast, from the browser's limits or the server's. */
export function showRateLimitToast(): void {
  showToast({
    kind: "warning",
    title: "Rate Limit Exceeded",
    text: "Too many searches in a short time. Please wait before searching again.",
  });
}
