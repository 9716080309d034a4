import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";

/**
 * Whoever reads the mails at the report's address wants those about its decisions, or none any more.
 * It counts until the report has another address.
 */
export const ReporterNotificationsSet = defineEvent(
  "ReporterNotificationsSet",
  1,
  strict({
    by: Type.Enum(["unsubscribe_link", "status_link"]),
    decisions: Type.Boolean(),
  }),
  {},
);
