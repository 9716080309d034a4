import { type Static, Type } from "typebox";
import { strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

const opt = Type.Optional;

/** The event behind an entry. */
export const AUDITED_EVENT = "/prod/api/admin/audit-logs/:id/event";
/** Starts a job that reads the whole log and verifies its hash chain. */
export const LOG_CHECK = "/prod/api/admin/audit-logs/check";

/** Details of an entry besides its action, such as list, format and rows of an export. Codes and numbers only. */
export const AuditDetails = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Integer(), Type.Boolean()]),
);
export type AuditDetails = Static<typeof AuditDetails>;

/** An entry of the audit log. */
export const AuditEntry = strict({
  /** ID of the event. */
  id: Type.String(),
  /** Name of the account, "Visitor" or "System". */
  user: Type.String(),
  user_id: Type.String(),
  role: Type.String(),
  /** Name of the command, for example `ApproveReport`. */
  action: Type.String(),
  details: opt(AuditDetails),
  /** Stream that was appended to, for example `report-1b9d...`. */
  resource: Type.String(),
  ipAddress: opt(Type.String()),
  userAgent: opt(Type.String()),
  timestamp: Type.String(),
  status: Type.Enum(["success", "failure", "warning"]),
});
export type AuditEntry = Static<typeof AuditEntry>;

/** GET /prod/api/admin/audit-logs: newest first. */
export const AuditQuery = strict({
  /** Part of a user's name, an action, a resource or an ID. */
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

/** GET .../{id}/event: what the log holds, without sealed values. */
export const AuditedEvent = strict({
  entry: AuditEntry,
  type: Type.String(),
  /** Version of the event's schema. */
  version: Type.Integer(),
  revision: Type.Integer(),
  position: Type.String(),
  /** `sample` for sample data. */
  origin: Type.String(),
  /** Shared by all events of one request or job. */
  correlation_id: Type.String(),
  /** Clear fields that are a single value or a list of values. */
  fields: Type.Array(strict({ name: Type.String(), value: Type.String() })),
  /** Names of clear fields with nested values; the histories show them. */
  composed: Type.Array(Type.String()),
  sealed: Type.Array(strict({ part: Type.String(), erased: Type.Boolean() })),
  /** Hash of the event before it in its stream; 64 zeros for the first. */
  previous_hash: Type.String(),
  hash: Type.String(),
  /** Whether hash and revision match what is stored. If not, this event or an earlier one was changed. */
  chain: Type.Enum(["fits", "wrong_hash", "wrong_revision"]),
});
export type AuditedEvent = Static<typeof AuditedEvent>;
export const AuditedEventReply = reply(AuditedEvent);

/** POST .../check */
export const CheckLog = strict({});
