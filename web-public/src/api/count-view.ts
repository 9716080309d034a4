import type { ApiClient } from "./client.ts";
import { recordView, type Viewed } from "./record-view.ts";

/** What was viewed, and recorded, since the page was loaded. */
const counted = new Set<string>();

/** Records once that a report or a text was viewed. A failure does not matter and is not shown. */
export function countView(api: ApiClient, viewed: Viewed, id: string): void {
  if (counted.has(id)) return;
  counted.add(id);
  recordView(api, viewed, id).catch(() => undefined);
}
