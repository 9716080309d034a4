import type { ApiClient, CommandReply } from "./client.ts";

/** What views are counted of: a report; a post or a page. */
export type Viewed = "reports" | "content";

/** POST /api/reports/{id}/view, POST /api/content/{id}/view */
export function recordView(
  api: ApiClient,
  viewed: Viewed,
  id: string,
): Promise<CommandReply<unknown>> {
  return api.post(`/api/${viewed}/${encodeURIComponent(id)}/view`);
}
