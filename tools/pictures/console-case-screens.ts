import type { Screen, Viewer } from "./screen.ts";
import { type Act, all, answer, answerResolutions, press, until } from "./screen-acts.ts";

const on = (path: string, name: string, act?: Act, as: Viewer = "admin"): Screen => ({
  name,
  path,
  as,
  ...(act && { act }),
});

const empty = (list: string, says: string, data: object): Screen => ({
  ...on(`/admin/${list}`, `console-${list}-none`, until(says)),
  before: answer(`admin/${list}`, 200, { data }),
});

/** Inquiries from visitors and owners, staff actions on them, and pages closed to auditors. */
export const CASE_SCREENS: readonly Screen[] = [
  on("/admin/documents/notices", "console-documents-notices", until("Nothing linked yet")),
  on("/admin/inquiries", "console-inquiries", until(/^Document(,|$)/)),
  empty("inquiries", "No inquiries yet", { inquiries: [] }),
  on("/admin/inquiries/{inquiry}", "console-inquiry", until("Rang the desk")),
  on(
    "/admin/inquiries/{inquiry}",
    "console-inquiry-revealed",
    all(press("Reveal"), until("Subpoena 12")),
  ),
  on("/admin/inquiries/00000000-0000-4000-8000-000000000009", "console-inquiry-unknown"),
  on("/admin/notices", "console-notices", until(/^C-/)),
  empty("notices", "No notices yet", { notices: [] }),
  on("/admin/notices/{notice}", "console-notice", until("Material taken down")),
  on(
    "/admin/notices/{notice}",
    "console-notice-revealed",
    all(press("Reveal"), until("Photographs of watches")),
  ),
  on("/admin/notices/{notice}", "console-notice-lift", press("Restore")),
  on("/admin/payments", "console-payments", until("Check 1042")),
  empty("payments", "No payments yet", { payments: [] }),
  on("/admin/resolutions", "console-resolutions", until("Tess Okafor")),
  {
    ...on("/admin/resolutions", "console-resolutions-open", until("Due, not received")),
    before: answerResolutions,
  },
  empty("resolutions", "No open requests", { resolutions: [], has_more: false }),
  on("/admin/users", "console-no-access", until("have access"), "auditor"),
  on("/admin/audit-logs", "console-audit-log-auditor", undefined, "auditor"),
];
