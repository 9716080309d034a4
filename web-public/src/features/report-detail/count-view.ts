import type { ApiClient } from "../../api/client.ts";
import { recordView } from "../../api/record-view.ts";

/** Reports whose view was recorded since the page was loaded. */
const counted = new Set<string>();

/** Records once that a report was viewed. A failure does not matter and is not shown. */
export function countView(api: ApiClient, reportId: string): void {
  if (counted.has(reportId)) return;
  counted.add(reportId);
  recordView(api, reportId).catch(() => undefined);
}
