import type { Sealed } from "#contracts/sealed.ts";
import type { AuditActorTable, AuditEntryTable } from "#read-model/tables/audit.ts";
import { type OpenedEvent, reportOf } from "../../daemon/projection.ts";

/** A row of `audit.entry` as JSON. */
export interface EntryRow extends Omit<AuditEntryTable, "at" | "client"> {
  at: string;
  client: Sealed | null;
}

/** A row of `audit.actor` as JSON. */
export interface ActorRow extends Omit<AuditActorTable, "added_at" | "account"> {
  added_at: string;
  account: Sealed | null;
}

export type AuditStatus = AuditEntryTable["status"];

/**
 * `failure`: somebody was refused. `warning`: it was done, and somebody should know: a stolen or
 * doubled session, an account that strangers try to get into, a log that was set back, a report made public before its reporter's address was
 * verified.
 */
export function auditStatus({ event }: OpenedEvent): AuditStatus {
  switch (event.type) {
    case "SignInFailed":
    case "CallRefused":
      return "failure";
    case "RefreshTokenReused":
    case "DeviceConfirmationRequested":
    case "LogRestored":
      return "warning";
    case "SessionEnded":
      return event.data.cause === "refresh_token_reused" ? "warning" : "success";
    default:
      return event.type === "ReportApproved" && !event.data.verified ? "warning" : "success";
  }
}

/** The line of the audit log that an event makes. Nothing sealed is opened. */
export function entryOf(opened: OpenedEvent): EntryRow {
  const { stored, event } = opened;
  const { metadata } = stored;
  return {
    position: stored.position,
    event_id: stored.id,
    at: metadata.time,
    actor_id: metadata.actor.id,
    actor_role: metadata.actor.role,
    command: metadata.command,
    event_type: stored.type,
    stream: stored.stream,
    revision: stored.revision,
    schema_version: metadata.schemaVersion,
    status: auditStatus(opened),
    origin: metadata.origin,
    report_id:
      reportOf(stored.stream) ??
      (event.type === "PersonalDataViewed" ? event.data.report_id : null),
    client: (metadata.client as Sealed | undefined) ?? null,
  };
}

/** The account that an event adds; undefined for all others. */
export function actorOf({ stored, event }: OpenedEvent): ActorRow | undefined {
  if (event.type !== "AccountAdded") return undefined;
  return {
    actor_id: stored.stream.slice("user-".length),
    role: event.data.role,
    event_id: stored.id,
    stream: stored.stream,
    event_type: stored.type,
    schema_version: stored.metadata.schemaVersion,
    account: (stored.data.account as Sealed | undefined) ?? null,
    added_at: stored.metadata.time,
  };
}
