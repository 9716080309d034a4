import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { Id, Text } from "./account-parts.ts";

/* The secret and the codes are in the command side's tables; the ids here refer to them. */

/** Number of codes in a set. */
const Codes = Type.Integer({ minimum: 1 });

/** From now on a sign-in needs a code. `SessionsEnded` follows in the same append. */
export const TwoFactorEnabled = defineEvent(
  "TwoFactorEnabled",
  1,
  strict({
    factor_id: Id,
    method: Type.Enum(["totp"]),
    /** The recovery codes that were shown then. */
    codes_id: Id,
    recovery_codes: Codes,
  }),
  {},
);

/** A new set of recovery codes; the former one is void. */
export const RecoveryCodesReplaced = defineEvent(
  "RecoveryCodesReplaced",
  1,
  strict({ codes_id: Id, recovery_codes: Codes }),
  {},
);

/** Somebody signed in with a recovery code. The code is void, and the owner is told. */
export const RecoveryCodeUsed = defineEvent(
  "RecoveryCodeUsed",
  1,
  /** `code`: its number within the set, counted from 1. */
  strict({ codes_id: Id, code: Type.Integer({ minimum: 1 }) }),
  {},
);

/** The owner switched it off. `SessionsEnded` follows in the same append. */
export const TwoFactorDisabled = defineEvent("TwoFactorDisabled", 1, strict({ factor_id: Id }), {});

/**
 * The owner lost both device and codes, and staff or the operator switched the second factor off.
 * `SessionsEnded` follows in the same append.
 */
export const TwoFactorReset = defineEvent(
  "TwoFactorReset",
  1,
  strict({
    factor_id: Id,
    /** Accounts of the admins who are mailed of it. The log does not know who is an admin now. */
    told: Type.Optional(Type.Array(Id, { minItems: 1, uniqueItems: true })),
  }),
  /** Why, in the words of the admin. The operator gives no reason. */
  { account: strict({ reason: Text }) },
);
