import { type Static, Type } from "typebox";
import { strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

const opt = Type.Optional;

/** What an entry says besides its action, such as the list, format and rows of an export: codes and numbers. */
export const AuditDetails = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Integer(), Type.Boolean()]),
);
export type AuditDetails = Static<typeof AuditDetails>;

/** One line of the audit log. */
export const AuditEntry = strict({
  /** The event's id. */
  id: Type.String(),
  /** Name of the account, or "Visitor" or "System". */
  user: Type.String(),
  user_id: Type.String(),
  role: Type.String(),
  /** Name of the command, for instance `ApproveReport`. */
  action: Type.String(),
  details: opt(AuditDetails),
  /** Stream that was appended to, for instance `report-1b9d...`. */
  resource: Type.String(),
  ipAddress: opt(Type.String()),
  userAgent: opt(Type.String()),
  timestamp: Type.String(),
  status: Type.Enum(["success", "failure", "warning"]),
});
export type AuditEntry = Static<typeof AuditEntry>;

/** GET /prod/api/admin/audit-logs: newest first. */
export const AuditQuery = strict({
  /** Part of a user's name, of an action, of a resource or of an id. */
  search: opt(Type.String({ maxLength: 200 })),
  status: opt(Type.Enum(["all", "success", "failure", "warning"])),
  action: opt(Type.String({ maxLength: 100 })),
  page: opt(Type.Integer({ minimum: 1, maximum: 10_000, default: 1 })),
  limit: opt(Type.Integer({ minimum: 1, maximum: 200, default: 25 })),
});
export const AuditReply = reply(
  strict({
    logs: Type.Array(AuditEntry),
    total: Type.Integer(),
    page: Type.Integer(),
    limit: Type.Integer(),
  }),
);
