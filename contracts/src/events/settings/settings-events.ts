import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { Instant } from "../instant.ts";

const opt = Type.Optional;
const Whole = Type.Integer({ minimum: 1 });
const clear = {
  maintenance_mode: opt(Type.Boolean()),
  /** Expected end; empty: none is named. */
  maintenance_until: opt(Type.Union([Instant, Type.Literal("")])),
  email_notifications: opt(Type.Boolean()),
  auto_backup: opt(Type.Boolean()),
  debug_mode: opt(Type.Boolean()),
  rate_limit_enabled: opt(Type.Boolean()),
  /** When limits are back. There exactly when `rate_limit_enabled` is false. */
  rate_limit_off_until: opt(Instant),
  /** Megabytes of 2^20 bytes. */
  max_file_size: opt(Whole),
  /** Minutes. */
  session_timeout: opt(Whole),
};

/**
 * Somebody changed settings: those that changed, with their new values. The log's bounds are wider than
 * those in force, which a later version may widen. Readers keep to their own.
 */
export const SettingsChanged = defineEvent(
  "SettingsChanged",
  1,
  strict({
    ...clear,
    /** Accounts of the admins who are mailed of it. */
    told: opt(Type.Array(Type.String({ format: "uuid" }), { minItems: 1, uniqueItems: true })),
  }),
  /** Free text, so it is sealed. It is a public notice, and nobody's: its key is never destroyed. */
  { content: strict({ maintenance_message: Type.String() }) },
  { oneOf: [...Object.keys(clear), "content"] },
);
