import { given } from "#contracts/given.ts";
import type { AuditEntry } from "#contracts/http/audit.ts";
import { type AccountName, fullName } from "../actors/actor-names.ts";
import type { ClientView } from "../actors/client-masks.ts";
import type { AuditRow } from "./audit-log.queries.ts";

/** Shown in place of a name for an actor that has none. */
const ROLE_NAMES: Readonly<Record<string, string>> = {
  visitor: "Visitor",
  user: "User",
  admin: "Admin",
  auditor: "Auditor",
  system: "System",
};

export function presentEntry(
  row: AuditRow,
  name: AccountName | undefined,
  client: ClientView,
): AuditEntry {
  const { ip_address, user_agent } = client;
  return {
    id: row.event_id,
    user: (name && fullName(name)) || (ROLE_NAMES[row.actor_role] ?? row.actor_role),
    user_id: row.actor_id,
    role: row.actor_role,
    action: row.command,
    resource: row.stream,
    ...given({ details: row.details, ipAddress: ip_address, userAgent: user_agent }),
    timestamp: row.at.toISOString(),
    status: row.status,
  };
}
