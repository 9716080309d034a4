import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { Instant } from "../instant.ts";
import { OneTimeLink } from "../one-time-link.ts";
import { ReporterBlindIndexes } from "../report/stored-report.ts";
import { AccountBlind, Address, Id, Text } from "./account-state.ts";

export const AccountRole = Type.Enum(["user", "admin", "auditor"]);

const OptionalText = Type.Optional(Type.String({ minLength: 1 }));

/** An account was created. */
export const AccountAdded = defineEvent(
  "AccountAdded",
  1,
  strict({ role: AccountRole }),
  {
    account: strict({
      email: Type.String({ minLength: 3 }),
      first_name: Type.String(),
      last_name: Type.String(),
      phone: OptionalText,
      company: OptionalText,
      website: OptionalText,
      /** Blind index of `email`, computed as for `ReportSubmitted`, so that equal addresses have equal hashes. */
      blind: ReporterBlindIndexes,
    }),
  },
  { required: ["account"] },
);

/**
 * The operator set a new password, which ended all sessions and lifted any ban. An owner who resets
 * the password with an emailed link stays banned: see `PasswordChanged`.
 */
export const PasswordReset = defineEvent("PasswordReset", 1, strict({}), {});

/**
 * Ends the account's sessions and their tokens: those whose `account_revision` is lower than this
 * event's revision, except `kept_session_id`.
 */
export const SessionsEnded = defineEvent(
  "SessionsEnded",
  1,
  strict({
    cause: Type.Enum([
      "signed_out",
      "password_changed",
      "email_changed",
      "two_factor_changed",
      "role_changed",
      "account_recovered",
      "email_confirmed",
      "banned",
      "refresh_token_reused",
    ]),
    /** The session that changed the password. */
    kept_session_id: Type.Optional(Type.String({ format: "uuid" })),
  }),
  {},
);

/** Unknown devices made too many attempts. The owner is emailed a link that confirms a device. */
export const DeviceConfirmationRequested = defineEvent(
  "DeviceConfirmationRequested",
  1,
  strict({ link: OneTimeLink }),
  {},
);

/** The link was opened. The account now recognizes that browser, which isn't signed in by this. */
export const DeviceConfirmed = defineEvent(
  "DeviceConfirmed",
  1,
  strict({ link_id: Type.String({ format: "uuid" }) }),
  {},
);

/**
 * The account was erased. Right after, its key is destroyed and `ReporterErased` is appended to
 * each report that it submitted; the reports stay. This event comes first, so that another process
 * can finish after a crash.
 */
export const AccountErased = defineEvent("AccountErased", 1, strict({}), {});

export const userDefinitions = [
  AccountAdded,
  PasswordReset,
  SessionsEnded,
  DeviceConfirmationRequested,
  DeviceConfirmed,
  AccountErased,
] as const;

/* Staff decisions about an account: invitations, bans, reopening and roles. */

/** Maximum number of admins that an event names. */
export const MAX_NOTIFIED_ADMINS = 100;

/** Accounts of the admins who get an email about it. The log doesn't know who is an admin now. */
const NotifiedAdmins = Type.Optional(
  Type.Array(Id, { minItems: 1, maxItems: MAX_NOTIFIED_ADMINS, uniqueItems: true }),
);

/**
 * Staff invited someone: an account with an unconfirmed address and no password. Its link sets a
 * password, confirms the address and keeps the names.
 */
export const AccountInvited = defineEvent(
  "AccountInvited",
  1,
  strict({ role: AccountRole, link: OneTimeLink, told: NotifiedAdmins }),
  {
    account: strict({
      email: Address,
      first_name: Text,
      last_name: Text,
      phone: Type.Optional(Text),
      company: Type.Optional(Text),
      blind: AccountBlind,
    }),
  },
  { required: ["account"] },
);

/**
 * Bans the account until `until` or until staff unban it; replaces any earlier ban. `SessionsEnded`
 * follows in the same append.
 */
export const AccountBanned = defineEvent(
  "AccountBanned",
  1,
  strict({
    /** Absent for a permanent ban. */
    until: Type.Optional(Instant),
    /** The rule that triggered it; absent if it was decided by hand. */
    reason_code: Type.Optional(Type.String({ pattern: "^[a-z0-9_]{1,40}$" })),
    told: NotifiedAdmins,
  }),
  /** The reason, for the owner. */
  { account: strict({ reason: Text }) },
  { required: ["account"] },
);

/** The ban ended. Nothing else changed: an unconfirmed address stays unconfirmed. */
export const AccountUnbanned = defineEvent(
  "AccountUnbanned",
  1,
  strict({
    /** `end`: the ban expired. */
    by: Type.Enum(["staff", "end"]),
    told: NotifiedAdmins,
  }),
  {},
);

/**
 * The account is open again. Its owner signed in before it was erased, or staff reopened it. Role,
 * password, second factor and ban are as the closing left them. Links emailed before are void.
 */
export const AccountReopened = defineEvent(
  "AccountReopened",
  1,
  strict({ by: Type.Enum(["owner", "admin"]), told: NotifiedAdmins }),
  {},
);

/** `SessionsEnded` follows in the same append, or `AccountClosed` if a staff account is deleted. */
export const AccountRoleChanged = defineEvent(
  "AccountRoleChanged",
  1,
  strict({ from: AccountRole, to: AccountRole, told: NotifiedAdmins }),
  {},
);

export const moderationDefinitions = [
  AccountInvited,
  AccountBanned,
  AccountUnbanned,
  AccountReopened,
  AccountRoleChanged,
] as const;

/*
 * Until an address is confirmed it belongs to no one, since anyone can register with any address.
 * These events record how an account gets its address, or fails to.
 */

/** Someone registered an account with the role `user` and an unconfirmed address. */
export const AccountRegistered = defineEvent(
  "AccountRegistered",
  1,
  strict({
    terms_version: Text,
    /** The link that confirms the address, emailed to it. */
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
    /** The link that was opened. It may belong to an account that this one replaced. */
    link_id: Type.Optional(Id),
    /**
     * True if the link was not opened in a session of the account, so someone else may have registered it.
     * Everything earlier in the stream is then void, except role, ban and address: the account has no name,
     * password, second factor, device, link or report from before. `SessionsEnded` follows in the same append.
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
  /** Until then, further attempts trigger neither an email nor an event. */
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
     * When `AccountErased` follows, which frees the address. If the owner closed it, that is seven days later;
     * until then a sign-in (`AccountReopened`) or `EmailChangeUndone` reopens it. Absent for a confirmed account
     * that is or was staff: it is kept because histories name it.
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
