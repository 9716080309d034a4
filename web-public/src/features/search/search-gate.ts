import { dismissToasts, showToast } from "../../components/toast-store.ts";
import { admit, INITIAL_THROTTLE, type ThrottleState } from "./search-throttle.ts";

/**
 * Every search passes through here. The state is lost with a reload, which takes long enough to
 * need no throttle. The server also has its own limits.
 */
let state: ThrottleState = INITIAL_THROTTLE;

/** Asks the visitor for the confirmation, and resolves with whether it was given. */
export type AskForConfirmation = () => Promise<boolean>;

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
