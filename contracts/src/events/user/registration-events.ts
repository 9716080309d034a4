import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { Instant } from "../instant.ts";
import { OneTimeLink } from "../one-time-link.ts";
import { AccountBlind, Address, Id, Text } from "./account-state.ts";

/*
 * Until an address is confirmed it belongs to nobody, since anybody can register with any address.
 * These events tell how an account gets its address, or fails to.
 */

/** Someone registered an account with the role `user` and an unconfirmed address. */
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

/** Another confirmation link was emailed. Earlier links stay valid. */
export const EmailConfirmationRequested = defineEvent(
  "EmailConfirmationRequested",
  1,
  strict({ link: OneTimeLink }),
  {},
);

/** The address is confirmed. Other links that would confirm it are void. */
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

/** Someone tried to register a confirmed address. Its owner is emailed. */
export const RegistrationAttempted = defineEvent(
  "RegistrationAttempted",
  1,
  /** Until then, further attempts cause neither a mail nor an event. */
  strict({ quiet_until: Instant }),
  {},
);

/**
 * The address was registered again before it was confirmed. All sessions ended, and the account's
 * key is destroyed right after this event. Its reports stay without an account and keep their
 * reporters' keys. Its unused links confirm the address for the account named here, if that was
 * registered after this event. Otherwise they are void.
 */
export const AccountReplaced = defineEvent("AccountReplaced", 1, strict({ replaced_by: Id }), {});

/** The address wasn't confirmed in time. The consequences are those of `AccountReplaced`. */
export const AccountExpired = defineEvent("AccountExpired", 1, strict({}), {});

const text = Type.Optional(Text);

/** The owner or staff edited the profile. An absent field has no value. */
export const ProfileEdited = defineEvent(
  "ProfileEdited",
  1,
  /** Names of the fields that changed. */
  strict({ fields: Type.Array(Type.String(), { minItems: 1 }) }),
  {
    /** The whole profile after the edit, without the address. */
    account: strict({
      first_name: text,
      last_name: text,
      phone: text,
      company: text,
      website: text,
      job_title: text,
      bio: text,
    }),
  },
  { required: ["account"] },
);

/** Which emails the account gets. Absent settings are unchanged. */
export const NotificationsSet = defineEvent(
  "NotificationsSet",
  1,
  strict({
    by: Type.Enum(["owner", "unsubscribe_link"]),
    /** Decisions on its reports; on by default. */
    decisions: Type.Optional(Type.Boolean()),
    /** Other reports on a person that it reported; off by default. */
    same_person: Type.Optional(Type.Boolean()),
    /** Off by default. */
    weekly_summary: Type.Optional(Type.Boolean()),
  }),
  {},
  { oneOf: ["decisions", "same_person", "weekly_summary"] },
);

/** The owner exported the account's data. */
export const AccountDataExported = defineEvent("AccountDataExported", 1, strict({}), {});

/** The account was closed: no one can sign in, and all sessions ended. */
export const AccountClosed = defineEvent(
  "AccountClosed",
  1,
  strict({
    by: Type.Enum(["owner", "admin", "operator", "retention"]),
    /**
     * When `AccountErased` follows, which frees the address. Where its owner closed it, that is seven days
     * later; until then `AccountReopened`, by a sign-in, and `EmailChangeUndone` open it again.
     * Absent for a confirmed account that is or was one of staff: it is kept, since histories name it.
     */
    erase_at: Type.Optional(Instant),
    reason_code: Type.Optional(Type.String({ pattern: "^[a-z0-9_]{1,40}$" })),
  }),
  {},
);

export const registrationDefinitions = [
  AccountRegistered,
  EmailConfirmationRequested,
  EmailConfirmed,
  RegistrationAttempted,
  AccountReplaced,
  AccountExpired,
  ProfileEdited,
  NotificationsSet,
  AccountDataExported,
  AccountClosed,
] as const;
