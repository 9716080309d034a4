import type { ApiClient, CommandReply } from "./client.ts";

const counted = new Set<string>();

/** Records a view of a report or text once. Failures are ignored. */
export function countView(api: ApiClient, viewed: Viewed, id: string): void {
  if (counted.has(id)) return;
  counted.add(id);
  recordView(api, viewed, id).catch(() => undefined);
}

type Viewed = "reports" | "content";

/** POST /api/reports/{id}/view, POST /api/content/{id}/view */
function recordView(api: ApiClient, viewed: Viewed, id: string): Promise<CommandReply<unknown>> {
  return api.post(`/api/${viewed}/${encodeURIComponent(id)}/view`);
}
