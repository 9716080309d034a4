import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { Instant } from "../instant.ts";
import { Text } from "./account-parts.ts";

const text = Type.Optional(Text);

/** The owner edited the profile. What is not there has no value. */
export const ProfileEdited = defineEvent(
  "ProfileEdited",
  1,
  /** Names of the fields that are different from before. */
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

/** Mails that the account gets or does not get from now on; the others stay as they are. */
export const NotificationsSet = defineEvent(
  "NotificationsSet",
  1,
  strict({
    by: Type.Enum(["owner", "unsubscribe_link"]),
    /** Decisions on its reports; on at first. */
    decisions: Type.Optional(Type.Boolean()),
    /** Another report about a person that it reported; off at first. */
    same_person: Type.Optional(Type.Boolean()),
    /** Off at first. */
    weekly_summary: Type.Optional(Type.Boolean()),
  }),
  {},
  { oneOf: ["decisions", "same_person", "weekly_summary"] },
);

/** The owner got a copy of all that the registry holds of the account. */
export const AccountDataExported = defineEvent("AccountDataExported", 1, strict({}), {});

/** The account is closed: nobody signs in, and all of its sessions ended. */
export const AccountClosed = defineEvent(
  "AccountClosed",
  1,
  strict({
    by: Type.Enum(["owner", "admin", "operator", "retention"]),
    /** `AccountErased` follows then, and frees the address. */
    erase_at: Instant,
    reason_code: Type.Optional(Type.String({ pattern: "^[a-z0-9_]{1,40}$" })),
  }),
  {},
);
