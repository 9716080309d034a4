import type { RegistryEvent } from "#contracts/events/index.ts";
import { storedName } from "#contracts/events/settings/settings-fold.ts";
import type { AuditDetails } from "#contracts/http/audit.ts";
import { SETTING_NAMES } from "#contracts/settings/catalogue.ts";

type Explained = {
  readonly [Type in RegistryEvent["type"]]?: readonly (keyof Extract<
    RegistryEvent,
    { type: Type }
  >["data"] &
    string)[];
};

/** Fields without which an entry does not say what happened. All are codes and numbers in the clear. */
const EXPLAINED = {
  ListExported: ["list", "format", "rows"],
  SignInFailed: ["cause"],
  ProofFailed: ["cause"],
  CallRefused: ["method", "route", "code", "count"],
  ContactFound: ["count"],
  ContactAlarmRaised: ["found", "accounts"],
  SessionEnded: ["cause"],
  LogRestored: ["erasure_ledger_lost"],
} as const satisfies Explained;

/** What the entry of an event says besides its command, or null. */
export function auditDetails({ type, data }: RegistryEvent): AuditDetails | null {
  const fields: readonly string[] = (EXPLAINED as Explained)[type] ?? [];
  if (type === "SettingsChanged") return changedSettings(data);
  const values = data as Readonly<Record<string, AuditDetails[string] | undefined>>;
  const found = fields.flatMap((field) => {
    const value = values[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  return found.length === 0 ? null : Object.fromEntries(found);
}

/** The settings that changed, by their names in the log, with their values where these are in the clear. */
function changedSettings(data: object): AuditDetails | null {
  const values = data as Readonly<Record<string, unknown>>;
  const found = SETTING_NAMES.map(storedName).flatMap((name) => {
    const value = values[name];
    if (value === undefined) return [];
    return [[name, Array.isArray(value) ? value.join(",") : value] as const];
  });
  return found.length === 0 ? null : (Object.fromEntries(found) as AuditDetails);
}
