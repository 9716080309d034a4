import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { OneTimeLink } from "../one-time-link.ts";
import { AccountBlind, Address, Id, Text } from "./account-state.ts";

/** Someone requested a link to set a new password. */
export const PasswordResetRequested = defineEvent(
  "PasswordResetRequested",
  1,
  strict({
    link: OneTimeLink,
    /** `answer`: returned directly to a caller who proved that the address is theirs. */
    delivery: Type.Enum(["mail", "answer"]),
    /** Whether the account knew the requesting browser, which means that its owner sent the request. */
    device: Type.Enum(["known", "unknown"]),
  }),
  {},
);

/**
 * The owner set a new password; a ban stays. All links for setting a password are void. With
 * `reset_link`, a requested change of address and links that confirm a device are void as well.
 * `SessionsEnded` follows in the same append.
 */
export const PasswordChanged = defineEvent(
  "PasswordChanged",
  1,
  strict({
    by: Type.Enum(["owner", "reset_link", "invitation"]),
    /** The link that was used, if any. */
    link_id: Type.Optional(Id),
  }),
  {},
);

/* The secret and the codes are in the command side's tables; the ids here refer to them. */

/** Number of codes in a set. */
const Codes = Type.Integer({ minimum: 1 });

/** Signing in now requires a code. `SessionsEnded` follows in the same append. */
export const TwoFactorEnabled = defineEvent(
  "TwoFactorEnabled",
  1,
  strict({
    factor_id: Id,
    method: Type.Enum(["totp"]),
    /** The recovery codes shown with it. */
    codes_id: Id,
    recovery_codes: Codes,
  }),
  {},
);

/** New recovery codes replaced the old ones. */
export const RecoveryCodesReplaced = defineEvent(
  "RecoveryCodesReplaced",
  1,
  strict({ codes_id: Id, recovery_codes: Codes }),
  {},
);

/** Someone signed in with a recovery code, which is now void. The owner is emailed. */
export const RecoveryCodeUsed = defineEvent(
  "RecoveryCodeUsed",
  1,
  /** `code`: its number within the set, counted from 1. */
  strict({ codes_id: Id, code: Type.Integer({ minimum: 1 }) }),
  {},
);

/** The owner turned it off. `SessionsEnded` follows in the same append. */
export const TwoFactorDisabled = defineEvent("TwoFactorDisabled", 1, strict({ factor_id: Id }), {});

/**
 * The owner lost the device and the codes, and staff or the operator turned two-factor
 * authentication off. `SessionsEnded` follows in the same append.
 */
export const TwoFactorReset = defineEvent(
  "TwoFactorReset",
  1,
  strict({
    factor_id: Id,
    /** Accounts of the admins who get an email about it. The log doesn't know who is an admin now. */
    told: Type.Optional(Type.Array(Id, { minItems: 1, uniqueItems: true })),
  }),
  /** The admin's reason. The operator gives none. */
  { account: strict({ reason: Text }) },
);

/**
 * The owner requested another address. A link is emailed to it, and a warning to the current one.
 * An earlier request is void.
 */
export const EmailChangeRequested = defineEvent(
  "EmailChangeRequested",
  1,
  strict({ link: OneTimeLink }),
  { account: strict({ email: Address }) },
  { required: ["account"] },
);

/** The owner withdrew the request for another address. */
export const EmailChangeWithdrawn = defineEvent("EmailChangeWithdrawn", 1, strict({}), {});

/**
 * The new address was confirmed and is now the account's. Links emailed to the previous address are
 * void, except those that undo a change. `SessionsEnded` follows in the same append.
 */
export const EmailChanged = defineEvent(
  "EmailChanged",
  1,
  strict({
    link_id: Id,
    /** Undoes the change; sent to the previous address. Expires immediately if that was unconfirmed. */
    undo_link: OneTimeLink,
  }),
  { account: strict({ email: Address, blind: AccountBlind, former_email: Address }) },
  { required: ["account"] },
);

/**
 * The owner of the previous address took the account back. The account has its address from before
 * the change. All links and the password are void. If the account was closed in the meantime, it is
 * open again; a ban stays. `SessionsEnded` follows in the same append, and before it
 * `NotificationsSet` if the change had altered the settings. Reports claimed from the changed
 * address lose their owner: see `ReportDisowned`.
 */
export const EmailChangeUndone = defineEvent(
  "EmailChangeUndone",
  1,
  strict({
    /** The undo link that was opened. */
    link_id: Id,
    /** `dropped`: two-factor authentication or its codes were set up after the change or in the week before it. */
    two_factor: Type.Enum(["kept", "dropped"]),
  }),
  { account: strict({ email: Address, blind: AccountBlind }) },
  { required: ["account"] },
);

export const accountCredentialDefinitions = [
  PasswordResetRequested,
  PasswordChanged,
  TwoFactorEnabled,
  RecoveryCodesReplaced,
  RecoveryCodeUsed,
  TwoFactorDisabled,
  TwoFactorReset,
  EmailChangeRequested,
  EmailChangeWithdrawn,
  EmailChanged,
  EmailChangeUndone,
] as const;
