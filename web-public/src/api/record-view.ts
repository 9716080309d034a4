import type { ApiClient, CommandReply } from "./client.ts";

/** POST /api/reports/{id}/view */
export function recordView(api: ApiClient, reportId: string): Promise<CommandReply<unknown>> {
  return api.post(`/api/reports/${encodeURIComponent(reportId)}/view`);
}
