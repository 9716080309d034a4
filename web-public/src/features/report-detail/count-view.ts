import type { ApiClient } from "../../api/client.ts";
import { recordView } from "../../api/record-view.ts";

/** Reports whose view was told since the page was loaded. */
const counted = new Set<string>();

/** Tells the registry once that a report was seen. A failure matters to nobody and is not shown. */
export function countView(api: ApiClient, reportId: string): void {
  if (counted.has(reportId)) return;
  counted.add(reportId);
  recordView(api, reportId).catch(() => undefined);
}
