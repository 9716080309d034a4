import type { AccountState } from "#contracts/events/user/account-fold.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import { reporterBlindIndexes } from "../report/report.blind.ts";
import type { Infringer } from "./strike.store.ts";

/** Whose infringements count against an account: its own, and those of the address that it has confirmed. */
export function accountAsInfringer(
  accountId: string,
  { profile, confirmed }: Pick<AccountState, "profile" | "confirmed">,
  index: BlindIndexer,
): Infringer {
  const blind = profile && confirmed ? reporterBlindIndexes(profile.email, index).email : undefined;
  return { accountId, blind };
}
