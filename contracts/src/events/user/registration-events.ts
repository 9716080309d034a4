import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { Instant } from "../instant.ts";
import { OneTimeLink } from "../one-time-link.ts";
import { AccountBlind, Address, Id, Text } from "./account-parts.ts";

/*
 * Until an address is confirmed it belongs to nobody, since anybody can register with any address.
 * These events tell how an account gets its address, or fails to.
 */

/** Somebody registered: an account with the role `user` and an unconfirmed address. */
export const AccountRegistered = defineEvent(
  "AccountRegistered",
  1,
  strict({
    terms_version: Text,
    /** The link that confirms the address, mailed to it. */
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

/** Another link that confirms the address was mailed; earlier links stay valid. */
export const EmailConfirmationRequested = defineEvent(
  "EmailConfirmationRequested",
  1,
  strict({ link: OneTimeLink }),
  {},
);

/** The address is now the account's. Links that would confirm it are void. */
export const EmailConfirmed = defineEvent(
  "EmailConfirmed",
  1,
  strict({
    by: Type.Enum(["link", "reset_link", "invitation", "operator", "admin"]),
    /** The link that was opened; it may be one of an account that this one replaced. */
    link_id: Type.Optional(Id),
    /**
     * True when the link was not opened in a session of the account, so that somebody else may have
     * registered it. Everything that the stream says before is then void, except role, ban and
     * address: the account has no name, password, second factor, device, link or report from
     * before. `SessionsEnded` follows in the same append.
     */
    dropped: Type.Boolean(),
  }),
  { account: strict({ email: Address, blind: AccountBlind }) },
  { required: ["account"] },
);

/** Somebody tried to register the confirmed address. Its owner is told by mail. */
export const RegistrationAttempted = defineEvent(
  "RegistrationAttempted",
  1,
  /** Until then, further attempts cause neither a mail nor an event. */
  strict({ quiet_until: Instant }),
  {},
);

/**
 * The address was registered again before it was confirmed. This account has ended with all of its
 * sessions, and its key is destroyed right after this event. Reports that it submitted stay without
 * an account, with their reporters' keys. Its unused links confirm the address for the account
 * named here, if that was registered after this event. Otherwise they are void: where another account
 * moved to the address, nobody is named, or in older logs an account that may have another address.
 */
export const AccountReplaced = defineEvent("AccountReplaced", 1, strict({ replaced_by: Id }), {});

/** Nobody confirmed the address in time. The consequences are those of `AccountReplaced`. */
export const AccountExpired = defineEvent("AccountExpired", 1, strict({}), {});
