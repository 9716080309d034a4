import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { OneTimeLink } from "../one-time-link.ts";
import { ReporterBlindIndexes } from "../report/stored-report.ts";

export const AccountRole = Type.Enum(["user", "admin", "auditor"]);

const Text = Type.Optional(Type.String({ minLength: 1 }));

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
      phone: Text,
      company: Text,
      website: Text,
      /**
       * Blind index of `email`, computed as for `ReportSubmitted`: equal addresses have equal
       * hashes.
       */
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
