import type { AccountState } from "#contracts/events/user/account-state.ts";

/** Whether signing in takes the account back: its owner deleted it, and it is not due to be erased yet. */
export function isTakenBackBySignIn({ profile, closed }: AccountState, now: string): boolean {
  return !!profile && !!closed?.byOwner && closed.eraseAt !== undefined && closed.eraseAt > now;
}

/** Whether the account is closed, and not even its owner signs in. */
export function isShut(state: AccountState, now: string): boolean {
  return state.closed !== undefined && !isTakenBackBySignIn(state, now);
}
