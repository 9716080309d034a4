import type { AccountState } from "#contracts/events/user/account-fold.ts";
import type { AccountProfile } from "#contracts/events/user/account-state.ts";

/** The part of `EmailConfirmed`. */
export function confirmedAddress(
  { profile }: { readonly profile: AccountProfile },
  blind: { readonly email: string } | undefined,
) {
  if (!blind) throw new TypeError("a confirmation needs the blind index of the address");
  return { email: profile.email, blind };
}

/** Whether the account is there, and its address nobody's yet. */
export function isNobodys(
  state: AccountState | undefined,
): state is AccountState & { readonly profile: AccountProfile } {
  return !!state?.profile && !state.confirmed && !state.over && !state.closed;
}
