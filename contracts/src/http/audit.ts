import { type Static, Type } from "typebox";
import { strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

const opt = Type.Optional;

/** The event behind an entry. */
export const AUDITED_EVENT = "/prod/api/admin/audit-logs/:id/event";
/** Begins a job that walks the whole log and checks its chain. */
export const LOG_CHECK = "/prod/api/admin/audit-logs/check";

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

/** GET .../{id}/event: what the log holds, without any value that is sealed. */
export const AuditedEvent = strict({
  entry: AuditEntry,
  type: Type.String(),
  /** Version of the event's shape. */
  version: Type.Integer(),
  revision: Type.Integer(),
  position: Type.String(),
  /** `sample` for what the sample data brought. */
  origin: Type.String(),
  /** The same for all events of one request or job. */
  correlation_id: Type.String(),
  /** Fields in the clear that are one value or a list of them. */
  fields: Type.Array(strict({ name: Type.String(), value: Type.String() })),
  /** Names of the fields in the clear that have parts of their own; the histories show them. */
  composed: Type.Array(Type.String()),
  sealed: Type.Array(strict({ part: Type.String(), erased: Type.Boolean() })),
  /** Hash of the event before it in its stream; 64 zeros for the first. */
  previous_hash: Type.String(),
  hash: Type.String(),
  /** Whether hash and revision follow from what is stored; otherwise the event was changed, or one before it. */
  chain: Type.Enum(["fits", "wrong_hash", "wrong_revision"]),
});
export type AuditedEvent = Static<typeof AuditedEvent>;
export const AuditedEventReply = reply(AuditedEvent);

/** POST .../check */
export const CheckLog = strict({});
