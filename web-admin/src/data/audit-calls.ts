import type { Static } from "typebox";
import {
  AUDITED_EVENT,
  type AuditedEvent,
  type AuditedEventReply,
  LOG_CHECK,
} from "#contracts/http/audit.ts";
import type { JobStartedReply } from "#contracts/http/jobs.ts";
import type { ApiClient } from "./api-client.ts";

/** What auditors and admins ask of the event log itself. */
export interface AuditCalls {
  /** The event behind an entry of the audit log. */
  auditedEvent(id: string): Promise<AuditedEvent>;
  /** Begins to check the chain of the whole log. @returns the job's id. */
  startLogCheck(): Promise<string>;
}

/** These calls with one session's client. */
export function auditCalls(client: ApiClient): AuditCalls {
  return {
    async auditedEvent(id) {
      const { json } = await client.request(AUDITED_EVENT.replace(":id", encodeURIComponent(id)));
      return (json as Static<typeof AuditedEventReply>).data;
    },
    async startLogCheck() {
      const { json } = await client.command(LOG_CHECK, "POST", {});
      return (json as Static<typeof JobStartedReply>).data.job_id;
    },
  };
}
