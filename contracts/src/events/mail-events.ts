import { Type } from "typebox";
import { strict } from "../report/fields.ts";
import { defineEvent } from "./definition.ts";

/** An admin resent an email that had been given up. Its id contains ids only, no address. */
export const MailResent = defineEvent(
  "MailResent",
  1,
  strict({
    mail_id: Type.String({ pattern: "^mail-[0-9a-z_-]{1,200}$" }),
    kind: Type.String({ pattern: "^[a-z0-9_]{1,60}$" }),
  }),
  {},
);
