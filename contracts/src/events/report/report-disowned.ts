import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";

/**
 * The report is nobody's from here on: neither the account's that claimed it, nor the one's that
 * submitted it. Whoever confirmed its address may claim it again, unless an account submitted it.
 */
export const ReportDisowned = defineEvent(
  "ReportDisowned",
  1,
  strict({
    /** The account that it was listed under. */
    account_id: Type.String({ format: "uuid" }),
    /**
     * `address_change_undone`: the account claimed it from an address that `EmailChangeUndone` took
     * back. `session_over`: it was sent in a session from before the account was taken over.
     */
    cause: Type.Enum(["address_change_undone", "session_over"]),
  }),
  {},
);
