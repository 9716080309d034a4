import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";

/**
 * An account took over a report that was submitted from its address without an account. The report
 * belongs to it from here on, like one that it submitted. Both had confirmed the address.
 */
export const ReportClaimed = defineEvent(
  "ReportClaimed",
  1,
  strict({ account_id: Type.String({ format: "uuid" }) }),
  {},
);
