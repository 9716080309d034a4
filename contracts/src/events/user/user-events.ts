import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { OneTimeLink } from "../one-time-link.ts";

export const AccountRole = Type.Enum(["user", "admin", "auditor"]);

/** An account was made. */
export const AccountAdded = defineEvent("AccountAdded", 1, strict({ role: AccountRole }), {
  account: strict({
    email: Type.String({ minLength: 3 }),
    first_name: Type.String(),
    last_name: Type.String(),
  }),
});

/** The operator gave the account a new password; every session of it ended, and so did a ban. */
export const PasswordReset = defineEvent("PasswordReset", 1, strict({}), {});

/**
 * The sessions of the account were ended, with every token: those whose `account_revision` is lower
 * than this event's revision, but for one.
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
      "address_confirmed",
      "banned",
      "refresh_token_reused",
    ]),
    /** The session of whoever changed the password. */
    kept_session_id: Type.Optional(Type.String({ format: "uuid" })),
  }),
  {},
);

/** Devices unknown to the account had tried too often: its owner is mailed a link to sign in by. */
export const SignInLinkRequested = defineEvent(
  "SignInLinkRequested",
  1,
  strict({ link: OneTimeLink }),
  {},
);

/** The link was opened: the browser that did is known to the account from here on. */
export const SignInLinkOpened = defineEvent(
  "SignInLinkOpened",
  1,
  strict({ link_id: Type.String({ format: "uuid" }) }),
  {},
);

/**
 * The account is erased: its key is destroyed right after. `ReporterErased` of each report that it
 * submitted stands in the log before; the reports stay.
 */
export const AccountErased = defineEvent("AccountErased", 1, strict({}), {});
