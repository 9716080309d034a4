import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";

/** Somebody opened a report's sealed data. Appended before the data is shown. */
export const PersonalDataViewed = defineEvent(
  "PersonalDataViewed",
  1,
  strict({
    report_id: Type.String({ format: "uuid" }),
    /** Revision of the report whose data was shown. */
    revision: Type.Integer({ minimum: 0 }),
  }),
  {},
);
