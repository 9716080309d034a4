import { Type } from "typebox";
import { strict } from "../report/fields.ts";
import { defineEvent } from "./definition.ts";

const Code = Type.String({ pattern: "^[a-z0-9_]{1,40}$" });

/**
 * A payment service received money that can't be matched to a report. Someone has to check and
 * refund it. Names neither the report nor a person.
 */
export const PaymentUnmatched = defineEvent(
  "PaymentUnmatched",
  1,
  strict({
    processor: Code,
    /** Why it matches nothing. The log does not restrict the codes. */
    problem: Code,
    /** Whether it is real money. */
    live: Type.Boolean(),
    /** The payment service's ID of the notification, to find the payment there. */
    event_id: Type.String({ pattern: "^[A-Za-z0-9_-]{1,100}$" }),
    /** Accounts of the admins who are emailed about it. */
    told: Type.Array(Type.String({ format: "uuid" }), { minItems: 1, uniqueItems: true }),
  }),
  {},
);
