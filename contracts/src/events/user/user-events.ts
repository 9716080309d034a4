import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent, type Upcaster } from "../definition.ts";
import { OneTimeLink } from "../one-time-link.ts";
import { ReporterBlindIndexes } from "../report/stored-report.ts";

export const AccountRole = Type.Enum(["user", "admin", "auditor"]);

const profile = {
  email: Type.String({ minLength: 3 }),
  first_name: Type.String(),
  last_name: Type.String(),
};
const Text = Type.Optional(Type.String({ minLength: 1 }));

/** An account was made. */
export const AccountAdded = defineEvent(
  "AccountAdded",
  2,
  strict({ role: AccountRole }),
  {
    account: strict({
      ...profile,
      phone: Text,
      company: Text,
      website: Text,
      /** Of `email`, as `ReportSubmitted` has it of the reporter's: equal addresses, equal hashes. */
      blind: Type.Optional(ReporterBlindIndexes),
    }),
  },
  { required: ["account"] },
);

export const accountAddedUpcasters: readonly Upcaster[] = [
  {
    from: defineEvent(
      "AccountAdded",
      1,
      strict({ role: Type.Enum(["user", "admin", "auditor"]) }),
      { account: strict(profile) },
    ),
    upcast: (data) => data,
  },
];

/**
 * The operator gave the account a new password; every session of it ended, and so did a ban. The
 * operator alone: an owner who sets a new password by a link of a mail stays banned, so that will
 * be its own event.
 */
export const PasswordReset = defineEvent("PasswordReset", 1, strict({}), {});

/**
 * The sessions of the account were ended, with every token: those whose `account_revision` is lower
 * than this event's revision, except one.
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

/** Devices unknown to the account had tried too often: its owner is mailed a link to confirm one. */
export const DeviceConfirmationRequested = defineEvent(
  "DeviceConfirmationRequested",
  1,
  strict({ link: OneTimeLink }),
  {},
);

/** The link was opened: the browser that did is known to the account, and nobody is signed in. */
export const DeviceConfirmed = defineEvent(
  "DeviceConfirmed",
  1,
  strict({ link_id: Type.String({ format: "uuid" }) }),
  {},
);

/**
 * The account is erased: its key is destroyed right after, and then `ReporterErased` of each report
 * that it submitted is appended; the reports stay. This event comes first, so that a process that
 * dies in between is followed by one that finishes.
 */
export const AccountErased = defineEvent("AccountErased", 1, strict({}), {});
