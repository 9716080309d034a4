import type { AccountState } from "#contracts/events/user/account-state.ts";

/** Whether signing in reopens the account: its owner deleted it, and its erasure is not due yet. */
export function isReopenedBySignIn({ profile, closed }: AccountState, now: string): boolean {
  return !!profile && !!closed?.byOwner && closed.eraseAt !== undefined && closed.eraseAt > now;
}

/** Whether the account is closed even to its owner. */
export function isClosedToOwner(state: AccountState, now: string): boolean {
  return state.closed !== undefined && !isReopenedBySignIn(state, now);
}
