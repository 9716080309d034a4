import { BACKUPS, type BackupList } from "#contracts/http/backups.ts";
import type { SystemActionBody, SystemStatus } from "#contracts/http/system.ts";
import { SYSTEM_ACTIONS_PATH } from "#contracts/system/actions.ts";
import type { ApiClient } from "./api-client.ts";

/** A call that the connectivity test makes. */
export type TriedCall = "dashboard" | "users" | "reports";

/** The spec's page of the connectivity test. */
const FIRST_PAGE = "page=1&limit=5";
const TRIED: Readonly<Record<TriedCall, string>> = {
  dashboard: "/prod/api/admin/dashboard",
  users: `/prod/api/admin/users?${FIRST_PAGE}`,
  reports: `/prod/api/admin/reports?${FIRST_PAGE}`,
};

export interface ShownBackups {
  readonly listed_at?: string;
  readonly list?: BackupList;
}

/** What the console asks about the system itself. */
export interface SystemCalls {
  systemStatus(): Promise<{ data: SystemStatus }>;
  /** The backups as they were last listed; without a list before the first one. */
  backups(): Promise<ShownBackups>;
  /** Makes one call as the console's pages do. */
  tryCall(name: TriedCall): Promise<void>;
  /** Begins something with the registry as a whole. @returns the job's id. */
  startAction(body: SystemActionBody): Promise<string>;
}

/** These calls with one session's client. */
export function systemCalls(client: ApiClient): SystemCalls {
  return {
    async systemStatus() {
      const { json } = await client.request("/prod/api/system/status");
      return { data: (json as { data: SystemStatus }).data };
    },
    async backups() {
      return ((await client.request(BACKUPS)).json as { data: ShownBackups }).data;
    },
    async tryCall(name) {
      await client.request(TRIED[name]);
    },
    async startAction(body) {
      const { json } = await client.command(SYSTEM_ACTIONS_PATH, "POST", body);
      return (json as { data: { job_id: string } }).data.job_id;
    },
  };
}
