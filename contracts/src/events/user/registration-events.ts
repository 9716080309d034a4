import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { Instant } from "../instant.ts";
import { OneTimeLink } from "../one-time-link.ts";
import { AccountBlind, Address, Id, Text } from "./account-parts.ts";

/*
 * An address is nobody's until it is confirmed: anybody can register anybody's. These events tell
 * how an account comes to its address, or does not.
 */

/** Somebody registered: an account of the role `user`, whose address is not confirmed. */
export const AccountRegistered = defineEvent(
  "AccountRegistered",
  1,
  strict({
    terms_version: Text,
    /** Confirms the address; mailed to it. */
    link: OneTimeLink,
  }),
  {
    account: strict({
      email: Address,
      first_name: Text,
      last_name: Text,
      phone: Type.Optional(Text),
      company: Type.Optional(Text),
      website: Type.Optional(Text),
      blind: AccountBlind,
    }),
  },
  { required: ["account"] },
);

/** Another mail with a link that confirms the address; links of before still count. */
export const EmailConfirmationRequested = defineEvent(
  "EmailConfirmationRequested",
  1,
  strict({ link: OneTimeLink }),
  {},
);

/** The address is the account's. Links that would confirm it are void. */
export const EmailConfirmed = defineEvent(
  "EmailConfirmed",
  1,
  strict({
    by: Type.Enum(["link", "reset_link", "invitation", "operator", "admin"]),
    /** The link that was opened; it may be one of an account that this one replaced. */
    link_id: Type.Optional(Id),
    /**
     * Not from a session of the account: whoever registered it may be somebody else. All that the
     * stream says before is void but role, ban and address; the account has no name, password,
     * second factor, device, link or report from before. `SessionsEnded` follows in the same append.
     */
    dropped: Type.Boolean(),
  }),
  { account: strict({ email: Address, blind: AccountBlind }) },
  { required: ["account"] },
);

/** Somebody tried to register the confirmed address: its owner is told by mail. */
export const RegistrationAttempted = defineEvent(
  "RegistrationAttempted",
  1,
  /** Until then no further attempt is told, nor an event. */
  strict({ quiet_until: Instant }),
  {},
);

/**
 * The address was registered again before it was confirmed: this account is over, with all of its
 * sessions, and its key is destroyed right after. Reports that it submitted stay, as nobody's, with
 * the keys of their reporters. Its unused links confirm the address for the account named here.
 */
export const AccountReplaced = defineEvent("AccountReplaced", 1, strict({ replaced_by: Id }), {});

/** Nobody confirmed the address in time. What follows is as after `AccountReplaced`. */
export const AccountExpired = defineEvent("AccountExpired", 1, strict({}), {});
