import { isEmail } from "#contracts/account/email.ts";
import { given } from "#contracts/given.ts";
import type { UsersQuery } from "#contracts/http/users.ts";
import { ownAddress } from "#search/matching.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import type { UserFilter } from "./users.queries.ts";

type Filter = {
  readonly [F in "search" | "status" | "role"]?: UsersQuery[F] | undefined;
} & { readonly id?: readonly string[] | undefined };

/** What the filter means. A whole address is looked up as such, anything else among the names. */
export function wantedOf(
  { search: text, status: inStatus, role: inRole, id }: Filter,
  blind: BlindIndexer,
): UserFilter {
  const whole = text?.trim() ?? "";
  const emailBlind = isEmail(whole) ? blind("reporter_email", ownAddress(whole)) : undefined;
  return {
    ...given({ search: text, emailBlind, id }),
    ...(inStatus === undefined || inStatus === "all" ? {} : { status: inStatus }),
    ...(inRole === undefined || inRole === "all" ? {} : { role: inRole }),
  };
}
