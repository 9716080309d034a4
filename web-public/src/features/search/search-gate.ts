import { dismissToasts, showToast } from "../../components/toast-store.ts";
import { admit, INITIAL_THROTTLE, type ThrottleState } from "./search-throttle.ts";

/**
 * Where every search passes before it is made. The state lives as long as the page: a reload is
 * slow enough to need no throttle, and the server keeps its own.
 */
let state: ThrottleState = INITIAL_THROTTLE;

/** Asks for the confirmation; resolves to whether the visitor gave it. */
export type AskForConfirmation = () => Promise<boolean>;

/** Whether a search may be made now. Says why not, or asks, where it may not. */
export async function mayCountSearch(ask: AskForConfirmation): Promise<boolean> {
  const first = step();
  if (first !== "verify") return first === "go";
  if (!(await ask())) return false;
  state = { ...state, verified: true };
  return step() === "go";
}

/** Forgets count, warning and confirmation. */
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

/** What browser and server say alike when searches come too fast. */
export function showRateLimitToast(): void {
  showToast({
    kind: "warning",
    title: "Rate Limit Exceeded",
    text: "Too many searches in a short time. Please wait before searching again.",
  });
}
