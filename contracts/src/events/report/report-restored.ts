import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";

/**
 * A moderator brought an earlier version of the report back. The `ReportEdited` that follows in the same
 * append says what that changed, so that this event changes nothing by itself.
 */
export const ReportVersionRestored = defineEvent(
  "ReportVersionRestored",
  1,
  strict({
    /** Revision of the report's stream after which it said what it says now. */
    revision: Type.Integer({ minimum: 0 }),
  }),
  {},
);
