import { Type } from "typebox";
import { strict } from "../report/fields.ts";
import { defineEvent } from "./definition.ts";

/** A sign-in failed. Encrypted with the month's key, which is destroyed after 90 days. */
export const SignInFailed = defineEvent(
  "SignInFailed",
  1,
  /** `link_required`: the device is unknown, and unknown devices had tried too often. */
  strict({
    cause: Type.Enum([
      "unknown_account",
      "wrong_password",
      "inactive_account",
      "link_required",
      "banned",
      "wrong_code",
      "code_reused",
    ]),
  }),
  {
    security: strict({
      email: Type.String(),
      account_id: Type.Optional(Type.String({ format: "uuid" })),
    }),
  },
  { required: ["security"] },
);

/** Calls within one hour; see `ops.observed`. */
const Count = Type.Integer({ minimum: 1 });

/** A signed-in account made requests that it isn't allowed to make. */
export const CallRefused = defineEvent(
  "CallRefused",
  1,
  strict({
    method: Type.String(),
    /** Pattern of the route, never the requested URL, which may hold personal data. */
    route: Type.String(),
    code: Type.String(),
    count: Count,
  }),
  {},
);

/** An account's searches by email or phone found reports. The search terms aren't stored. */
export const ContactFound = defineEvent(
  "ContactFound",
  1,
  strict({ method: Type.String(), route: Type.String(), count: Count }),
  {},
);

/**
 * Within a day, all accounts together found more contacts than merchants who look up customers
 * usually do. At most one a day.
 */
export const ContactAlarmRaised = defineEvent(
  "ContactAlarmRaised",
  1,
  strict({
    /** Number of reports that the searches found, and of accounts that made them. */
    found: Count,
    accounts: Count,
    /** Accounts of the admins who are emailed about it. */
    told: Type.Optional(
      Type.Array(Type.String({ format: "uuid" }), { minItems: 1, uniqueItems: true }),
    ),
  }),
  {},
);

/** A signed-in account entered a wrong password or code when asked again. */
export const ProofFailed = defineEvent(
  "ProofFailed",
  1,
  strict({ cause: Type.Enum(["wrong_password", "wrong_code", "code_reused"]) }),
  { security: strict({ account_id: Type.String({ format: "uuid" }) }) },
  { required: ["security"] },
);

export const securityDefinitions = [
  SignInFailed,
  CallRefused,
  ContactFound,
  ContactAlarmRaised,
  ProofFailed,
] as const;
