import { post, send } from "./calls.ts";

/** Rejects every waiting report, so that the queue holds only a test's own. */
export async function emptyQueue(url: string, token: string): Promise<void> {
  const rejected = new Set<string>();
  for (;;) {
    const { reports } = await send<{ reports: string[] }>(url, "GET /admin/queue", {}, token);
    if (reports.length === 0) return;
    // Rejected reports may still be listed for a moment.
    for (const id of reports.filter((each) => !rejected.has(each))) {
      rejected.add(id);
      await post(url, `/admin/reports/${id}/reject`, { reason_code: "no_evidence" }, token);
    }
  }
}
