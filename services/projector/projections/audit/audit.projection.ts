import type { RegistryEvent } from "#contracts/events/index.ts";
import { storedName } from "#contracts/events/settings/settings-fold.ts";
import type { AuditDetails } from "#contracts/http/audit.ts";
import type { Sealed } from "#contracts/sealed.ts";
import { SETTING_NAMES } from "#contracts/settings/catalogue.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { AuditActorTable, AuditEntryTable } from "#read-model/tables/audit.ts";
import type { JsonRow } from "#read-model/tables/column-types.ts";
import type { OpenedEvent, Projection } from "../../daemon/projection.ts";
import { keyedProjection } from "../../keyed/keyed-projection.ts";
import type { ReadModel } from "../../keyed/read-model.ts";
import type { Count, TallyTable } from "../../keyed/tallies.ts";
import { accountOf, reportOf } from "../../streams.ts";

/** Who did what, when and from where: one entry per event, and the number of entries of each kind. */
export function auditProjection(): Projection {
  return keyedProjection({
    name: "audit",
    schema: projectedSchemas.audit,
    models: [entries, actors],
    filter: undefined,
    opens: false,
    // A deleted report's history stays, but its sealed data can no longer be opened.
    erasedBy: [],
  });
}

type EntryRow = JsonRow<AuditEntryTable>;
type ActorRow = JsonRow<AuditActorTable>;

type AuditStatus = AuditEntryTable["status"];

/**
 * An entry's status. `failure`: someone was refused. `warning`: it happened but needs attention, such
 * as a stolen or duplicated session, strangers' attempts on an account, a log that was set back, many
 * contacts found by searches, or a report that became public before its reporter's address was verified.
 */
export function auditStatus({ event }: Pick<OpenedEvent, "event">): AuditStatus {
  switch (event.type) {
    case "SignInFailed":
    case "CallRefused":
    case "ProofFailed":
      return "failure";
    case "DeviceConfirmationRequested":
    case "RegistrationAttempted":
    case "LogRestored":
    case "ContactAlarmRaised":
      return "warning";
    case "SessionEnded":
      return event.data.cause === "refresh_token_reused" ? "warning" : "success";
    default:
      return event.type === "ReportApproved" && !event.data.verified ? "warning" : "success";
  }
}

/** The audit log's entries, one per event. Nothing sealed is opened. */
export const entries: ReadModel<EntryRow> = {
  table: { name: "entry", key: "position" },
  handles: undefined,
  keyOf: ({ position }) => position,
  begins: () => true,
  evolve: (_, { event, stored }) => ({
    position: stored.position,
    event_id: stored.id,
    at: stored.metadata.time,
    actor_id: stored.metadata.actor.id,
    actor_role: stored.metadata.actor.role,
    command: stored.metadata.command,
    event_type: stored.type,
    stream: stored.stream,
    revision: stored.revision,
    schema_version: stored.metadata.schemaVersion,
    status: auditStatus({ event }),
    origin: stored.metadata.origin,
    report_id: reportOf(stored.stream) ?? viewed(event),
    details: auditDetails(event),
    client: (stored.metadata.client as Sealed | undefined) ?? null,
  }),
  figuresOf,
};

/** Returns the report, account, inquiry or notice whose sealed data was opened, if the event is about that. */
function viewed(event: RegistryEvent): string | null {
  switch (event.type) {
    case "PersonalDataViewed":
    case "EvidenceViewed":
      return event.data.report_id;
    case "AccountDataViewed":
      return event.data.account_id;
    case "MailViewed":
      return event.data.owner_id;
    default:
      return null;
  }
}

/** The accounts, each as of the last event about its profile. */
export const actors: ReadModel<
  ActorRow,
  | "AccountAdded"
  | "AccountRegistered"
  | "AccountInvited"
  | "AccountRoleChanged"
  | "ProfileEdited"
  | "EmailConfirmed"
> = {
  table: { name: "actor", key: "actor_id" },
  handles: [
    "AccountAdded",
    "AccountRegistered",
    "AccountInvited",
    "AccountRoleChanged",
    "ProfileEdited",
    "EmailConfirmed",
  ],
  keyOf: ({ stream }) => accountOf(stream),
  evolve: (row, { key, event, stored }) => {
    const said = {
      event_id: stored.id,
      stream: stored.stream,
      event_type: stored.type,
      schema_version: stored.metadata.schemaVersion,
      account: (stored.data.account as Sealed | undefined) ?? null,
    };
    switch (event.type) {
      case "AccountAdded":
      case "AccountInvited":
      case "AccountRegistered": {
        const role = event.type === "AccountRegistered" ? "user" : event.data.role;
        return row ?? { actor_id: key, role, ...said, added_at: stored.metadata.time };
      }
      case "AccountRoleChanged":
        // Former staff stay named in their decisions.
        return row && event.data.to !== "user" ? { ...row, role: event.data.to } : row;
      case "EmailConfirmed":
        // A name that was set before the drop no longer counts.
        return row && event.data.dropped ? { ...row, ...said } : row;
      case "ProfileEdited":
        return row && { ...row, ...said };
    }
  },
};

const FACETS: TallyTable = {
  name: "figure_facet",
  keys: ["event_type", "command", "actor_role", "status", "stream_kind"],
  sums: ["entries"],
};

/** Counts an entry once, under what it shares with many others. */
function figuresOf({ event_type, command, actor_role, status, stream }: EntryRow): Count[] {
  const [kind = stream] = stream.split("-", 1);
  return [{ tally: FACETS, key: [event_type, command, actor_role, status, kind], sums: [1] }];
}

type Explained = {
  readonly [Type in RegistryEvent["type"]]?: readonly (keyof Extract<
    RegistryEvent,
    { type: Type }
  >["data"] &
    string)[];
};

/** Fields without which an entry does not say what happened. All are codes and numbers that are not sealed. */
const EXPLAINED = {
  ListExported: ["list", "format", "rows"],
  MailViewed: ["kind"],
  SignInFailed: ["cause"],
  ProofFailed: ["cause"],
  CallRefused: ["method", "route", "code", "count"],
  ContactFound: ["count"],
  ContactAlarmRaised: ["found", "accounts"],
  SessionEnded: ["cause"],
  LogRestored: ["erasure_ledger_lost"],
} as const satisfies Explained;

/** Returns what an event's entry shows besides its command, or null. */
function auditDetails({ type, data }: RegistryEvent): AuditDetails | null {
  const fields: readonly string[] = (EXPLAINED as Explained)[type] ?? [];
  if (type === "SettingsChanged") return changedSettings(data);
  const values = data as Readonly<Record<string, AuditDetails[string] | undefined>>;
  const found = fields.flatMap((field) => {
    const value = values[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  return found.length === 0 ? null : Object.fromEntries(found);
}

/** Returns the changed settings by their names in the log, with the values that are not sealed. */
function changedSettings(data: object): AuditDetails | null {
  const values = data as Readonly<Record<string, unknown>>;
  const found = SETTING_NAMES.map(storedName).flatMap((name) => {
    const value = values[name];
    if (value === undefined) return [];
    return [[name, Array.isArray(value) ? value.join(",") : value] as const];
  });
  return found.length === 0 ? null : (Object.fromEntries(found) as AuditDetails);
}
