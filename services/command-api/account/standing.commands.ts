import type { OpenData } from "#contracts/events/definition.ts";
import type { AccountInvited } from "#contracts/events/user/standing-events.ts";
import type { EditProfile } from "#contracts/http/account.ts";
import type { Role } from "#contracts/http/auth.ts";

/** What every decision of staff about an account names. */
interface Decided {
  readonly ownerId: string;
  /** The admin who decides and those who gave them their role lately, see `grantChain`; nobody where a rule does. */
  readonly by: readonly string[];
  /** `factsRevision` of the account as it was seen; undefined where that does not matter. */
  readonly seen: number | undefined;
}

/** Admins who are mailed where the account is one of staff, or becomes one. */
interface Telling {
  readonly admins: readonly string[];
}

/** What staff decide about accounts; see `Credentials`. */
export type StandingCommand =
  | ({
      readonly type: "InviteAccount";
      readonly role: Role;
      readonly account: NonNullable<OpenData<typeof AccountInvited>["account"]>;
    } & Telling)
  | ({
      readonly type: "BanAccount";
      readonly reason: string;
      /** The rule that asks for it. */
      readonly reasonCode: string | undefined;
      /** RFC 3339; undefined for a ban without an end. */
      readonly until: string | undefined;
    } & Decided &
      Telling)
  | ({ readonly type: "UnbanAccount" } & Decided & Telling)
  | ({ readonly type: "EndBan" } & Telling)
  | ({ readonly type: "ChangeAccountRole"; readonly role: Role } & Decided & Telling)
  | ({
      readonly type: "EditAccount";
      readonly edit: EditProfile;
      /** Another role than it had when it was read; undefined where that stays. */
      readonly role: Role | undefined;
    } & Decided &
      Telling)
  | ({ readonly type: "DeleteAccount" } & Decided & Telling)
  | ({ readonly type: "ReopenAccount" } & Decided & Telling);
