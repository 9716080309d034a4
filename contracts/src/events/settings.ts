import { Type } from "typebox";
import { EMAIL_LENGTH } from "../account/email.ts";
import { strict } from "../report/fields.ts";
import { defineEvent } from "./definition.ts";
import { Instant } from "./instant.ts";

const opt = Type.Optional;
const Whole = Type.Integer({ minimum: 1 });
const Code = Type.String({ pattern: "^[a-z_]{1,40}$" });
/** Empty: the address that the operator configured. */
const AddressOrNone = Type.String({ maxLength: EMAIL_LENGTH });
const clear = {
  maintenance_mode: opt(Type.Boolean()),
  /** Expected end; empty if none is given. */
  maintenance_until: opt(Type.Union([Instant, Type.Literal("")])),
  email_notifications: opt(Type.Boolean()),
  auto_backup: opt(Type.Boolean()),
  debug_mode: opt(Type.Boolean()),
  rate_limit_enabled: opt(Type.Boolean()),
  /** When rate limits are back. Present exactly when `rate_limit_enabled` is false. */
  rate_limit_off_until: opt(Instant),
  /** Megabytes of 2^20 bytes. */
  max_file_size: opt(Whole),
  /** Minutes. */
  session_timeout: opt(Whole),
  /** Hours and minutes in UTC; empty: the time that the operator configured. */
  backup_time: opt(Type.String({ pattern: "^(([01][0-9]|2[0-3]):[0-5][0-9])?$" })),
  /** Number of backups; 0: the number that the operator configured. */
  backup_keep: opt(Type.Integer({ minimum: 0 })),
  staff_second_factor: opt(Code),
  /** Codes of the rejection reasons that are not offered. */
  reject_reasons_off: opt(Type.Array(Code, { uniqueItems: true, maxItems: 50 })),
  /** Retention in days. */
  keep_unconfirmed_reports: opt(Whole),
  keep_unconfirmed_accounts: opt(Whole),
  keep_rejected_reports: opt(Whole),
  keep_inquiries: opt(Whole),
  keep_security_events: opt(Whole),
  /** Hours between the deletion of a report and its erasure. */
  erase_hours: opt(Whole),
};

/**
 * Someone changed settings: the changed ones with their new values. The log's bounds are wider than
 * the current ones, which a later version may widen. Readers enforce their own.
 */
export const SettingsChanged = defineEvent(
  "SettingsChanged",
  1,
  strict({
    ...clear,
    /** Accounts of the admins who are emailed about it. */
    told: opt(Type.Array(Type.String({ format: "uuid" }), { minItems: 1, uniqueItems: true })),
  }),
  /** Sealed because they are texts and addresses. They are public notices, so their key is never destroyed. */
  {
    content: strict(
      {
        maintenance_message: opt(Type.String()),
        support_email: opt(AddressOrNone),
        sales_email: opt(AddressOrNone),
      },
      { minProperties: 1 },
    ),
  },
  { oneOf: [...Object.keys(clear), "content"] },
);
