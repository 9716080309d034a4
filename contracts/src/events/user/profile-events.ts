import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { Instant } from "../instant.ts";
import { Text } from "./account-parts.ts";

const text = Type.Optional(Text);

/** The owner, or staff, edited the profile. An absent field has no value. */
export const ProfileEdited = defineEvent(
  "ProfileEdited",
  1,
  /** Names of the fields that changed. */
  strict({ fields: Type.Array(Type.String(), { minItems: 1 }) }),
  {
    /** The whole profile after the edit, without the address. */
    account: strict({
      first_name: text,
      last_name: text,
      phone: text,
      company: text,
      website: text,
      job_title: text,
      bio: text,
    }),
  },
  { required: ["account"] },
);

/** Which mails the account gets from now on; absent settings do not change. */
export const NotificationsSet = defineEvent(
  "NotificationsSet",
  1,
  strict({
    by: Type.Enum(["owner", "unsubscribe_link"]),
    /** Decisions on its reports; on by default. */
    decisions: Type.Optional(Type.Boolean()),
    /** Other reports on a person that it reported; off by default. */
    same_person: Type.Optional(Type.Boolean()),
    /** Off by default. */
    weekly_summary: Type.Optional(Type.Boolean()),
  }),
  {},
  { oneOf: ["decisions", "same_person", "weekly_summary"] },
);

/** The owner got a copy of everything that the registry stores about the account. */
export const AccountDataExported = defineEvent("AccountDataExported", 1, strict({}), {});

/** The account is closed: nobody can sign in, and all of its sessions ended. */
export const AccountClosed = defineEvent(
  "AccountClosed",
  1,
  strict({
    by: Type.Enum(["owner", "admin", "operator", "retention"]),
    /**
     * When `AccountErased` follows, which frees the address. Where its owner closed it, that is seven days
     * later; until then `AccountReopened`, by a sign-in, and `EmailChangeUndone` open it again.
     * Absent for a confirmed account that is or was one of staff: it is kept, since histories name it.
     */
    erase_at: Type.Optional(Instant),
    reason_code: Type.Optional(Type.String({ pattern: "^[a-z0-9_]{1,40}$" })),
  }),
  {},
);
