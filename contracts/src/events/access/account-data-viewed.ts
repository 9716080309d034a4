import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";

/** An admin opened an account's sealed data. Appended before the data is shown. */
export const AccountDataViewed = defineEvent(
  "AccountDataViewed",
  1,
  strict({
    account_id: Type.String({ format: "uuid" }),
    /** Revision of the account whose data was shown. */
    revision: Type.Integer({ minimum: 0 }),
  }),
  {},
);
