import { post, send } from "./calls.ts";

/** Rejects every report that waits, so that the queue has a test's own alone. */
export async function emptyQueue(url: string, token: string): Promise<void> {
  const rejected = new Set<string>();
  for (;;) {
    const { reports } = await send<{ reports: string[] }>(url, "GET /admin/queue", {}, token);
    if (reports.length === 0) return;
    // What was rejected may be listed for a moment still.
    for (const id of reports.filter((each) => !rejected.has(each))) {
      rejected.add(id);
      await post(url, `/admin/reports/${id}/reject`, { reason_code: "no_evidence" }, token);
    }
  }
}
